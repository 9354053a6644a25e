#include "core/gpt/compact.h"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <stdexcept>

#include "core/gpt/trainer.h"

using attn::AttentionKind;
using attn::Gpt;
using attn::GptConfig;
using attn::Tokenizer;

namespace {

const GptConfig kSmall{8, 10, 2, 2, 12, 20, AttentionKind::kDividedByWidth};
const Tokenizer kTokenizer("月山。月人。。\n\n𠀀", 8);

std::vector<std::uint8_t> packed(std::vector<float>& parameters) {
  const Gpt<float> gpt(kSmall, 3);
  parameters.assign(gpt.parameters().begin(), gpt.parameters().end());
  // Like a trained model: biases other than 0, rows of different sizes.
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    parameters[i] += 0.001f * static_cast<float>(i % 7);
  }
  return attn::pack(kSmall, kTokenizer, parameters);
}

}  // namespace

TEST_CASE("compact: sizes, kind of attention and vocabulary survive packing and unpacking") {
  std::vector<float> parameters;
  const auto model = attn::unpack(packed(parameters));
  CHECK(model.gpt.config() == kSmall);
  CHECK(model.tokenizer.characters() == kTokenizer.characters());
  CHECK(model.tokenizer.encode("山月x𠀀") == kTokenizer.encode("山月x𠀀"));
}

TEST_CASE("compact: a matrix changes by at most half a step of its row, a vector not at all") {
  std::vector<float> parameters;
  const auto model = attn::unpack(packed(parameters));
  const auto back = model.gpt.parameters();
  for (const attn::Tensor& tensor : model.gpt.layout().tensors()) {
    const auto cols = static_cast<std::size_t>(tensor.cols);
    for (std::size_t row = tensor.offset; row < tensor.offset + tensor.size(); row += cols) {
      float largest = 0;
      for (std::size_t c = 0; c < cols; ++c)
        largest = std::max(largest, std::abs(parameters[row + c]));
      // In addition the step and the product are rounded, each by 2⁻²⁴ of at most 127 steps.
      const double bound =
          tensor.rows == 1 ? 0
                           : static_cast<double>(largest) / 127 * (0.5 + 127 * std::ldexp(2, -24));
      for (std::size_t c = 0; c < cols; ++c) {
        const double off =
            static_cast<double>(back[row + c]) - static_cast<double>(parameters[row + c]);
        CHECK(std::abs(off) <= bound);
      }
    }
  }
}

TEST_CASE("compact: an unpacked model packs into the same bytes") {
  std::vector<float> parameters;
  const auto bytes = packed(parameters);
  const auto model = attn::unpack(bytes);
  CHECK(attn::pack(kSmall, model.tokenizer, model.gpt.parameters()) == bytes);
}

TEST_CASE("compact: one byte per number of a matrix, four per row, four per number of a vector") {
  std::vector<float> parameters;
  // Header of nine numbers and 6 characters, 4 bytes each. Rows: 8 tokens, 10 positions, in each of
  // two layers 12 + 12 + 12 + 20. Vectors: 2 · (4 · 12 + 20 + 12) + 2 · 12.
  const std::size_t rows = 8 + 10 + 2 * 56, vectors = 2 * 80 + 24;
  const auto size = packed(parameters).size();
  CHECK(size == 4 * (9 + 6) + (parameters.size() - vectors) + 4 * rows + 4 * vectors);
}

TEST_CASE("compact: rows of zeros, and of the smallest and largest numbers") {
  std::vector<float> parameters;
  packed(parameters);
  std::fill_n(parameters.begin(), 12, 0.0f);
  std::fill_n(parameters.begin() + 12, 12, std::numeric_limits<float>::denorm_min());
  std::fill_n(parameters.begin() + 24, 12, -9e37f);
  const auto back = attn::unpack(attn::pack(kSmall, kTokenizer, parameters));
  CHECK(back.gpt.parameters()[0] == 0);
  CHECK(back.gpt.parameters()[12] == 0);  // below a step
  CHECK(back.gpt.parameters()[24] == doctest::Approx(-9e37f));
}

TEST_CASE("compact: bytes that are not a packed model are refused") {
  std::vector<float> parameters;
  const auto bytes = packed(parameters);
  const auto refused = [](std::vector<std::uint8_t> other, const char* message) {
    CHECK_THROWS_WITH_AS(attn::unpack(other), message, std::invalid_argument);
  };
  refused({}, "weights: expected a packed model, got too few bytes");
  auto other = bytes;
  other[0] = 0;
  refused(other, "weights: expected a packed model, got something else");
  other = bytes;
  other[4 * 7] = 9;
  refused(other, "weights: expected a known kind of attention, got 9");
  other = bytes;
  other[4 * 8 + 3] = 0x7f;  // two thousand million characters
  refused(other, "weights: expected a packed model, got too few bytes");
  other = bytes;
  other.pop_back();
  refused(other, "weights: expected a packed model, got too few bytes");
  other = bytes;
  other.push_back(0);
  refused(other, "weights: expected nothing after the last number, got 1 bytes");
  other = bytes;
  std::fill_n(other.begin() + 4 * 15, 4, std::uint8_t{0xff});  // the first row's scale: NaN
  refused(other, "weights: expected finite numbers, got others");

  parameters[5] = std::numeric_limits<float>::infinity();
  CHECK_THROWS_WITH_AS(attn::pack(kSmall, kTokenizer, parameters),
                       "parameters[5]: expected a number below 1e38, got Infinity",
                       std::invalid_argument);
  parameters.pop_back();
  CHECK_THROWS_AS(attn::pack(kSmall, kTokenizer, parameters), std::invalid_argument);
  parameters.push_back(0);
  CHECK_THROWS_WITH_AS(attn::pack(kSmall, Tokenizer("月", 3), parameters),
                       "tokenizer: expected a vocabulary of 8, got 3", std::invalid_argument);
}

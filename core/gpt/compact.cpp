#include "core/gpt/compact.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "core/check.h"
#include "core/gpt/byte_stream.h"

namespace attn {
namespace {

constexpr std::uint32_t kMagic = 0x31575441;  // "ATW1"
constexpr float kLargest = 127;

struct Header {
  std::uint32_t magic;
  std::int32_t vocab_size, block_size, n_layers, n_heads, d_model, d_ff, attention;
  std::uint32_t characters;
};

std::size_t cols_of(const Tensor& tensor) { return static_cast<std::size_t>(tensor.cols); }

}  // namespace

std::vector<std::uint8_t> pack(const GptConfig& config, const Tokenizer& tokenizer,
                               std::span<const float> parameters) {
  const ParameterLayout layout(config);
  if (parameters.size() != layout.size()) {
    refuse("parameters", std::to_string(layout.size()) + " numbers",
           std::to_string(parameters.size()));
  }
  if (config.parts != GptParts()) refuse("parts", "those of the course's model", "others");
  if (tokenizer.vocab_size() != config.vocab_size) {
    refuse("tokenizer", "a vocabulary of " + std::to_string(config.vocab_size),
           std::to_string(tokenizer.vocab_size()));
  }
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    // Near the largest float, scale · 127 could round to infinity.
    if (!(std::abs(parameters[i]) < 1e38f)) {
      refuse(item_of("parameters", i), "a number below 1e38",
             text_of(static_cast<double>(parameters[i])));
    }
  }
  const std::u32string& characters = tokenizer.characters();
  ByteWriter writer;
  writer.put(Header{kMagic, config.vocab_size, config.block_size, config.n_layers, config.n_heads,
                    config.d_model, config.d_ff, static_cast<std::int32_t>(config.attention),
                    static_cast<std::uint32_t>(characters.size())});
  writer.put_all(std::span<const char32_t>(characters));
  for (const Tensor& tensor : layout.tensors()) {
    const std::span<const float> values = parameters.subspan(tensor.offset, tensor.size());
    if (tensor.rows == 1) {
      writer.put_all(values);
      continue;
    }
    for (std::size_t at = 0; at < values.size(); at += cols_of(tensor)) {
      float largest = 0;
      for (const float x : values.subspan(at, cols_of(tensor))) {
        largest = std::max(largest, std::abs(x));
      }
      const float scale = largest / kLargest;
      writer.put(scale);
      for (const float x : values.subspan(at, cols_of(tensor))) {
        // The smallest numbers have a scale that rounds to 0, or a quotient that rounds past 127.
        const float q = scale > 0 ? std::round(x / scale) : 0;
        writer.put(static_cast<std::int8_t>(std::clamp(q, -kLargest, kLargest)));
      }
    }
  }
  return writer.out;
}

TrainedModel unpack(std::span<const std::uint8_t> bytes) {
  ByteReader reader(bytes, "weights", "a packed model");
  const auto header = reader.get<Header>();
  if (header.magic != kMagic) refuse("weights", "a packed model", "something else");
  if (header.attention < 0 ||
      header.attention > static_cast<std::int32_t>(AttentionKind::kDividedByWidth)) {
    refuse("weights", "a known kind of attention", std::to_string(header.attention));
  }
  const GptConfig config{header.vocab_size,
                         header.block_size,
                         header.n_layers,
                         header.n_heads,
                         header.d_model,
                         header.d_ff,
                         static_cast<AttentionKind>(header.attention)};
  const ParameterLayout layout(config);
  // Checked before memory is allocated for the characters.
  if (header.characters > reader.left() / sizeof(char32_t)) {
    refuse("weights", "a packed model", "too few bytes");
  }
  std::u32string characters(header.characters, U'\0');
  reader.get_all(std::span<char32_t>(characters));
  Tokenizer tokenizer(std::move(characters), config.vocab_size);
  std::vector<float> parameters(layout.size());
  for (const Tensor& tensor : layout.tensors()) {
    const std::span<float> values(parameters.data() + tensor.offset, tensor.size());
    if (tensor.rows == 1) {
      reader.get_all(values);
      continue;
    }
    std::vector<std::int8_t> row(cols_of(tensor));
    for (std::size_t at = 0; at < values.size(); at += cols_of(tensor)) {
      const auto scale = reader.get<float>();
      reader.get_all(std::span<std::int8_t>(row));
      for (std::size_t c = 0; c < row.size(); ++c) {
        values[at + c] = scale * static_cast<float>(row[c]);
      }
    }
  }
  if (reader.left() > 0) {
    refuse("weights", "nothing after the last number", text_of(reader.left()) + " bytes");
  }
  for (const float parameter : parameters) {
    if (!std::isfinite(parameter)) refuse("weights", "finite numbers", "others");
  }
  return {std::move(tokenizer), Gpt<float>(config, std::move(parameters))};
}

}  // namespace attn

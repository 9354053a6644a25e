#include "core/gpt/causal_attention.h"

#include <doctest/doctest.h>

#include <cmath>
#include <vector>

#include "core/attention.h"
#include "core/mask.h"
#include "core/rng.h"

using attn::AttentionKind;
using attn::GptConfig;
using attn::Matrix;

namespace {

struct Head {
  std::vector<double> probabilities, output;
};

Head attend(const GptConfig& config, int length, const std::vector<double>& qkv, int head) {
  Head result{std::vector<double>(static_cast<std::size_t>(length * length)),
              std::vector<double>(static_cast<std::size_t>(length * config.d_model))};
  attn::attend(config, length, 0, qkv.data(), head, result.probabilities.data(),
               result.output.data());
  return result;
}

Matrix columns(const std::vector<double>& qkv, int length, int cols, int begin, int width) {
  Matrix part(length, width);
  for (int i = 0; i < length; ++i) {
    for (int j = 0; j < width; ++j)
      part(i, j) = qkv[static_cast<std::size_t>(i * cols + begin + j)];
  }
  return part;
}

}  // namespace

TEST_CASE("training attention in double is the core's attention to 1e-12") {
  const int length = 50;
  for (const bool scaled : {true, false}) {
    GptConfig config{
        5, 64, 1, 3, 21, 4, scaled ? AttentionKind::kScaled : AttentionKind::kUnscaled};
    attn::Rng rng(3);
    std::vector<double> qkv;
    for (int i = 0; i < length * 63; ++i) qkv.push_back(rng.normal());
    for (int head = 0; head < 3; ++head) {
      const auto part = [&](int which) {
        return columns(qkv, length, 63, which * 21 + head * 7, 7);
      };
      const auto expected =
          attn::attention(part(0), part(1), part(2), attn::causal_mask(length), scaled);
      const Head got = attend(config, length, qkv, head);
      double off = 0;
      for (int i = 0; i < length; ++i) {
        for (int j = 0; j < length; ++j) {
          const double p = got.probabilities[static_cast<std::size_t>(i * length + j)];
          off = std::max(off, std::abs(p - expected.weights(i, j)));
          if (j > i) CHECK(p == 0);
        }
        for (int j = 0; j < 7; ++j) {
          off = std::max(off, std::abs(got.output[static_cast<std::size_t>(i * 21 + head * 7 + j)] -
                                       expected.output(i, j)));
        }
      }
      CHECK(off < 1e-12);
    }
  }
}

TEST_CASE("the mistakes, worked by hand on two positions of width 4") {
  // q = (1,1,1,1) and k₀ = (1,1,1,1), k₁ = (1,1,0,0), so q·k = 4, 2; v₀ = 1, v₁ = 3 in column 0.
  const std::vector<double> row0 = {1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 0, 0};
  const std::vector<double> row1 = {1, 1, 1, 1, 1, 1, 0, 0, 3, 0, 0, 0};
  std::vector<double> qkv = row0;
  qkv.insert(qkv.end(), row1.begin(), row1.end());
  const auto run = [&](AttentionKind kind) { return attend({5, 2, 1, 1, 4, 4, kind}, 2, qkv, 0); };
  const auto sigmoid = [](double x) { return 1 / (1 + std::exp(-x)); };

  SUBCASE("scaled: scores 2, 1") {
    const Head head = run(AttentionKind::kScaled);
    CHECK(head.probabilities[2] == doctest::Approx(sigmoid(1)));
    CHECK(head.output[4] == doctest::Approx(sigmoid(1) + 3 * sigmoid(-1)));
    CHECK(head.output[0] == 1);
  }
  SUBCASE("hidden as zero: position 0 has scores 2, 0, and so a weight on the future") {
    const Head head = run(AttentionKind::kHiddenAsZero);
    CHECK(head.probabilities[1] == doctest::Approx(sigmoid(-2)));
    CHECK(head.output[0] == doctest::Approx(sigmoid(2) + 3 * sigmoid(-2)));
  }
  SUBCASE("scaled after softmax: scores 4, 2, and the output is halved") {
    const Head head = run(AttentionKind::kScaledAfterSoftmax);
    CHECK(head.probabilities[2] == doctest::Approx(sigmoid(2)));
    CHECK(head.output[4] == doctest::Approx((sigmoid(2) + 3 * sigmoid(-2)) / 2));
  }
  SUBCASE("divided by the width: scores 1, 0.5") {
    CHECK(run(AttentionKind::kDividedByWidth).probabilities[2] == doctest::Approx(sigmoid(0.5)));
  }
  SUBCASE("no maximum subtracted: the same numbers while nothing overflows, then none") {
    CHECK(run(AttentionKind::kNoMaxSubtraction).probabilities[2] == doctest::Approx(sigmoid(1)));
    for (double& x : qkv) x *= 100;  // scores of 20,000 after scaling
    CHECK(run(AttentionKind::kScaled).probabilities[2] == 1);
    CHECK(std::isnan(run(AttentionKind::kNoMaxSubtraction).probabilities[2]));
  }
}

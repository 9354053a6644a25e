#include "core/gpt/sampling.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

using attn::AttentionKind;
using attn::Decoder;
using attn::Gpt;
using attn::GptConfig;
using attn::SamplingOptions;

namespace {

/// An untrained model with weights so large that attention is far from uniform.
Gpt<float> lively(AttentionKind kind) {
  Gpt<float> gpt({40, 20, 2, 3, 24, 30, kind}, 8);
  for (float& parameter : gpt.parameters()) parameter *= 8;
  return gpt;
}

std::vector<float> copy_of(std::span<const float> numbers) {
  return {numbers.begin(), numbers.end()};
}

}  // namespace

TEST_CASE("sampling: with the cache and without, logits agree bit for bit, beyond the block too") {
  for (const AttentionKind kind :
       {AttentionKind::kScaled, AttentionKind::kUnscaled, AttentionKind::kScaledAfterSoftmax,
        AttentionKind::kHiddenAsZero}) {
    const auto gpt = lively(kind);
    Decoder<float> cached(gpt, true), plain(gpt, false);
    std::vector<int> text = {3, 1, 4, 1, 5};
    auto logits = copy_of(cached.append(text));
    CHECK(copy_of(plain.append(text)) == logits);
    for (int i = 0; i < 30; ++i) {
      const int next =
          static_cast<int>(std::max_element(logits.begin(), logits.end()) - logits.begin());
      text.push_back((next + i) % 40);
      const std::span<const int> last(&text.back(), 1);
      logits = copy_of(cached.append(last));
      CHECK(copy_of(plain.append(last)) == logits);
    }
    // Both compute the whole window in one pass.
    Decoder<float> fresh(gpt, false);
    CHECK(copy_of(fresh.append(text)) == logits);
    // 5 rows, then one for each of 15 tokens, then 15 windows of 20.
    if (kind != AttentionKind::kHiddenAsZero) CHECK(cached.rows_run() == 5 + 15 + 15 * 20);
    CHECK(plain.rows_run() == 5 + (6 + 20) * 15 / 2 + 15 * 20);
  }
}

TEST_CASE("sampling: the same characters with the cache and without, and again with the seed") {
  const auto gpt = lively(AttentionKind::kScaled);
  const std::vector<int> prompt = {2, 7};
  for (const SamplingOptions options : {SamplingOptions{0, 0}, {1, 0}, {0.7, 5}, {2, 1}}) {
    SamplingOptions plain = options;
    plain.cached = false;
    const auto expected = attn::sample(gpt, std::span<const int>(prompt), 40, options, 1);
    CHECK(attn::sample(gpt, std::span<const int>(prompt), 40, plain, 1) == expected);
    CHECK(attn::sample(gpt, std::span<const int>(prompt), 40, options, 1) == expected);
    if (options.temperature == 1) {
      CHECK(attn::sample(gpt, std::span<const int>(prompt), 40, options, 2) != expected);
    }
  }
}

TEST_CASE("drawing: shares follow softmax, and only the k largest come up") {
  // Logits ln 1, ln 2, ln 5 and temperature 1: 1/8, 2/8, 5/8. 80,000 draws: standard error of a
  // count at most √(80000/4) = 141.
  const std::vector<double> logits = {0, std::log(2.0), std::log(5.0)};
  attn::Rng rng(1);
  int counts[3] = {};
  for (int i = 0; i < 80000; ++i) ++counts[attn::draw_token<double>(logits, {1, 0}, rng)];
  CHECK(std::abs(counts[0] - 10000) < 5 * 141);
  CHECK(std::abs(counts[1] - 20000) < 5 * 141);
  // Temperature ½ squares the shares: 4/29 and 25/29 of the two largest.
  int two[3] = {};
  for (int i = 0; i < 80000; ++i) ++two[attn::draw_token<double>(logits, {0.5, 2}, rng)];
  CHECK(two[0] == 0);
  CHECK(std::abs(two[1] - 80000 * 4 / 29) < 5 * 141);
}

TEST_CASE("drawing: greedy takes the largest, the first of equals, and no random number") {
  attn::Rng rng(1), untouched(1);
  const std::vector<float> logits = {1, 3, 3, 2};
  CHECK(attn::draw_token<float>(logits, {0, 0}, rng) == 1);
  CHECK(rng.next() == untouched.next());
  for (int i = 0; i < 50; ++i) CHECK(attn::draw_token<float>(logits, {1, 1}, rng) == 1);
  for (int i = 0; i < 50; ++i) CHECK(attn::draw_token<float>(logits, {1e-300, 1}, rng) == 1);
}

TEST_CASE("sampling: bad arguments are named") {
  const auto gpt = lively(AttentionKind::kScaled);
  const std::vector<int> prompt = {2};
  CHECK_THROWS_WITH_AS(attn::sample(gpt, {}, 1, {}, 1),
                       "prompt: expected at least one token, got none", std::invalid_argument);
  CHECK_THROWS_WITH_AS(attn::sample(gpt, std::span<const int>(prompt), -1, {}, 1),
                       "count: expected 0 to 100000, got -1", std::invalid_argument);
  CHECK_THROWS_WITH_AS(attn::sample(gpt, std::span<const int>(prompt), 1, {-1, 0}, 1),
                       "temperature: expected a finite number, 0 or more, got -1",
                       std::invalid_argument);
  CHECK_THROWS_WITH_AS(attn::sample(gpt, std::span<const int>(prompt), 1, {1, -2}, 1),
                       "top_k: expected 0 or more, got -2", std::invalid_argument);
  CHECK(attn::sample(gpt, std::span<const int>(prompt), 0, {}, 1).empty());
  // A refused token does not change the text.
  Decoder<float> decoder(gpt, true);
  const auto before = copy_of(decoder.append(prompt));
  CHECK_THROWS_AS(decoder.append(std::vector<int>{40}), std::invalid_argument);
  Decoder<float> other(gpt, true);
  other.append(prompt);
  const std::vector<int> next = {9};
  CHECK(copy_of(decoder.append(next)) == copy_of(other.append(next)));
  const std::vector<float> broken = {0, NAN};
  attn::Rng rng(1);
  CHECK_THROWS_WITH_AS(attn::draw_token<float>(broken, {}, rng),
                       "logits[1]: expected a finite number, got NaN", std::invalid_argument);
}

// Budgets of several cards and what an engine's log says about its cache.
#include "core/serving_plan.h"

#include <doctest/doctest.h>

#include <stdexcept>

#include "core/engine_log.h"
#include "tests/core/layer_kinds.h"

using namespace attn;

TEST_CASE("serving: cards, weights, a reserve and the cache share one budget") {
  // 8 heads · 4 values · 2 B = 64 B a token for K and V each: 128 · 10 tokens = 1,280 B a sequence,
  // half of it on each of two cards.
  const CacheLayout layout = {full(1, 8, 4)};
  const ServingPlan plan = plan_serving(layout, {.context = 10, .batch = 3},
                                        {.cards = 2, .memory = 10000, .weights = 5000});
  CHECK(plan.card.total == 3 * 640);
  REQUIRE(plan.budget.has_value());
  // 20,000 − 5,000 − 2,000: 6,500 B on each card, 10 sequences of 640 B.
  CHECK(plan.budget->memory == 20000);
  CHECK(plan.budget->reserve == 2000);
  CHECK(plan.budget->available == 13000);
  CHECK(plan.budget->sequences == 10);
  // Three sequences of 64 B a token on a card.
  CHECK(plan.budget->longest == 33);
  CHECK_FALSE(plan.reserved.has_value());
  CHECK(plan.log.empty());
}

TEST_CASE("serving: weights that leave no room, no memory, too much memory") {
  const CacheLayout layout = {full(1, 1, 1)};
  const auto plan = plan_serving(layout, {.context = 1}, {.memory = 100, .weights = 95});
  CHECK(plan.budget->available == -5);
  CHECK(plan.budget->sequences == 0);
  CHECK_FALSE(plan_serving(layout, {.context = 1}, {}).budget.has_value());
  CHECK_THROWS_AS(plan_serving(layout, {.context = 1}, {.cards = 2, .memory = 4e18}),
                  std::invalid_argument);
}

TEST_CASE("serving: bytes of weights in formats with scales") {
  CHECK(weight_bytes(3, {.bits = 16}) == 6);
  CHECK(weight_bytes(3, {.bits = 4}) == 2);
  // Blocks of 32 values with a scale of 16 bits.
  CHECK(weight_bytes(64, {.bits = 8, .scale_bits = 16, .scale_block = 32}) == 68);
  CHECK(weight_bytes(128, {.bits = 8, .scale_bits = 32, .scale_block = 0}) == 132);
}

TEST_CASE("serving: vLLM's line gives the concurrency") {
  // 100 tokens are 7 blocks of 16 · 4 B = 448 B; 10,000 − 1,000 = 9,000 B; 9,000 ÷ 448 = 20.089.
  const auto plan =
      plan_serving({full(1, 1, 1)}, {.context = 100}, {.memory = 10000, .engine = Engine::vllm});
  REQUIRE(plan.log.size() == 1);
  CHECK(plan.log[0] == "Maximum concurrency for 100 tokens per request: 20.09x");
}

TEST_CASE("serving: llama.cpp's line gives cells and sizes of keys and values") {
  // 300 tokens are 512 cells; keys: 2 layers · 3 heads · 128 · 2 B · 512 = 0.75 MiB a sequence.
  const auto plan =
      plan_serving({full(2, 3, 128)}, {.context = 300, .batch = 2}, {.engine = Engine::llama_cpp});
  REQUIRE(plan.log.size() == 1);
  CHECK(plan.log[0] ==
        "size =    3.00 MiB (   512 cells,   2 layers,  2/2 seqs), K (f16):    1.50 MiB, "
        "V (f16):    1.50 MiB");
}

TEST_CASE("serving: SGLang's line gives the tokens of all sequences") {
  // 2¹⁵ tokens · 32 layers · 8 heads · 128 · 2 B = 2 GiB of keys.
  const auto plan = plan_serving({full(32, 8, 128)}, {.context = 1 << 14, .batch = 2},
                                 {.engine = Engine::sglang});
  REQUIRE(plan.log.size() == 1);
  CHECK(plan.log[0] == "KV Cache is allocated. #tokens: 32768, K size: 2.00 GB, V size: 2.00 GB");
}

TEST_CASE("serving: two decimals, half to even") {
  CHECK(two_decimals(5, 1) == "5.00");
  CHECK(two_decimals(2, 3) == "0.67");
  CHECK(two_decimals(1, 8) == "0.12");
  CHECK(two_decimals(3, 8) == "0.38");
  CHECK(two_decimals(199, 200) == "1.00");
  CHECK(two_decimals(1, 16) == "0.06");
  CHECK(two_decimals(std::int64_t{1} << 60, std::int64_t{1} << 58) == "4.00");
}

// Cards, shared prefixes and budgets.
#include "core/cache_plan.h"

#include <doctest/doctest.h>

#include <stdexcept>

#include "core/programs/json_config.h"
#include "tests/core/layer_kinds.h"
#include "tests/core/model_files.h"

using namespace attn;

TEST_CASE("plan: key-value heads are divided among cards, and copied where there are fewer heads") {
  const CacheLayout layout = {full(1, 8, 4)};
  CHECK(share_of_card(layout, 1) == layout);
  CHECK(share_of_card(layout, 2)[0].heads == 4);
  CHECK(share_of_card(layout, 8)[0].heads == 1);
  CHECK(share_of_card(layout, 16)[0].heads == 1);
  for (const std::int64_t cards : {3, 5, 12}) {
    CHECK_THROWS_AS(share_of_card(layout, cards), std::invalid_argument);
  }
  CHECK_THROWS_AS(share_of_card(layout, 0), std::invalid_argument);
}

TEST_CASE("plan: latent vectors are whole on every card, states are split") {
  const LayerKind latent = {.kind = CacheKind::latent, .layers = 2, .heads = 1, .k_width = 576};
  const LayerKind state = {.kind = CacheKind::state, .layers = 2, .state_bytes = 64};
  const CacheLayout share = share_of_card({latent, state}, 4);
  CHECK(share[0] == latent);
  CHECK(share[1].state_bytes == 16);
  CHECK_THROWS_AS(share_of_card({state}, 5), std::invalid_argument);
}

TEST_CASE("plan: a shared prefix is stored once, except in windows") {
  const CacheLayout layout = {full(1, 1, 1), window(1, 1, 1, 4)};
  // 3 further sequences save 10 tokens of 4 B each.
  CHECK(saved_by_sharing(layout, {.context = 20, .batch = 4}, 10) == 3 * 10 * 4);
  CHECK_THROWS_AS(saved_by_sharing(layout, {.context = 20}, 21), std::invalid_argument);
}

TEST_CASE("plan: as many sequences fit as the memory holds") {
  const CacheLayout layout = {full(1, 1, 1)};
  const CacheQuery query{.context = 10};  // 40 B a sequence
  CHECK(sequences_that_fit(layout, query, Engine::exact, 0, 39) == 0);
  CHECK(sequences_that_fit(layout, query, Engine::exact, 0, 40) == 1);
  CHECK(sequences_that_fit(layout, query, Engine::exact, 0, 119) == 2);
  // With 5 tokens in common each further sequence takes 20 B.
  CHECK(sequences_that_fit(layout, query, Engine::exact, 5, 119) == 4);
  CHECK_FALSE(sequences_that_fit(layout, query, Engine::exact, 10, 40).has_value());
}

TEST_CASE("plan: parameters of dense models and of experts") {
  // Llama-3.1-8B has 8,030,261,248 parameters by its model card's safetensors index.
  const ConfigValue llama = model_config("llama-3.1-8b");
  CHECK(count_parameters(llama, read_or_fail(llama).layout) == 8030261248);
  // Mixtral-8x7B: 46,702,792,704.
  const ConfigValue mixtral = model_config("mixtral-8x7b");
  CHECK(count_parameters(mixtral, read_or_fail(mixtral).layout) == 46702792704);
  // States and latent layers are not counted.
  const ConfigValue deepseek = model_config("deepseek-v3");
  CHECK_FALSE(count_parameters(deepseek, read_or_fail(deepseek).layout).has_value());
}

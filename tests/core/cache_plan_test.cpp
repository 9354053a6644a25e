// Cards, engines, shared prefixes and budgets.
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

TEST_CASE("plan: vLLM takes whole blocks of 16 tokens") {
  // 100 tokens are 7 blocks: 112 tokens · 1 head · 2 values · 2 B.
  const auto reserved = reserve({full(1, 1, 1)}, {.context = 100, .batch = 3}, Engine::vllm);
  CHECK(reserved.block == 16);
  CHECK(reserved.total == 3 * 112 * 4);
  // A window of 1,024 keeps 1,023 and 2,048 tokens of a step, in 192 blocks, and a block more.
  const auto windowed = reserve({window(1, 1, 1, 1024)}, {.context = 100000}, Engine::vllm);
  CHECK(windowed.kinds[0].tokens == 192 * 16 + 16);
  CHECK(windowed.total == (192 * 16 + 16) * 4);
}

TEST_CASE("plan: vLLM makes attention blocks as large as a layer's state") {
  // granite-4.0-h-tiny: the state of 3072 · 128 and 3 · 3328 numbers is 806,400 B. A token takes
  // 2,048 B a layer, so that 25 steps of 16 tokens hold it.
  const ConfigValue list = parse_config(read_project_file("tests/core/configs/decisive-keys.json"));
  for (const ConfigValue& row : list.values()) {
    if (row.find("model")->as_string() != "ibm-granite/granite-4.0-h-tiny") continue;
    const ModelCache cache = read_or_fail(*row.find("config"));
    const auto reserved = reserve(cache.layout, {.context = 800}, Engine::vllm);
    CHECK(reserved.block == 400);
    // 4 attention layers of two blocks, 36 states of one page each.
    CHECK(reserved.total == (4 * 2 + 36) * 400 * 2048);
    return;
  }
  FAIL("not in the list");
}

TEST_CASE("plan: llama.cpp pads to 256 cells and keeps a window with one step") {
  const CacheLayout layout = {full(1, 1, 1), window(1, 1, 1, 512)};
  const auto reserved = reserve(layout, {.context = 5000}, Engine::llama_cpp);
  CHECK(reserved.kinds[0].tokens == 5120);
  CHECK(reserved.kinds[1].tokens == 1024);
  // A window is never larger than the context.
  CHECK(reserve(layout, {.context = 300}, Engine::llama_cpp).kinds[1].tokens == 512);
}

TEST_CASE("plan: SGLang allocates exactly the tokens") {
  const CacheLayout layout = {full(2, 3, 5), window(1, 1, 1, 7)};
  const CacheQuery query{.context = 101, .batch = 2};
  CHECK(reserve(layout, query, Engine::sglang).total == cache_bytes(layout, query).total);
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

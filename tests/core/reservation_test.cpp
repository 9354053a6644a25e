// The memory that engines take.
#include "core/reservation.h"

#include <doctest/doctest.h>

#include "core/programs/json_config.h"
#include "tests/core/layer_kinds.h"
#include "tests/core/model_files.h"

using namespace attn;

namespace {

Reservation in_vllm(const ConfigValue& config, std::int64_t context) {
  return reserve(read_or_fail(config).layout, {.context = context}, Engine::vllm);
}

ConfigValue published(const std::string& model) {
  const ConfigValue list = parse_config(read_project_file("tests/core/configs/decisive-keys.json"));
  for (const ConfigValue& row : list.values()) {
    if (row.find("model")->as_string() == model) return *row.find("config");
  }
  FAIL("not in the list");
  return {};
}

}  // namespace

TEST_CASE("reservation: vLLM takes whole blocks of 16 tokens") {
  // 100 tokens are 7 blocks: 112 tokens · 1 head · 2 values · 2 B.
  const auto reserved = reserve({full(1, 1, 1)}, {.context = 100, .batch = 3}, Engine::vllm);
  CHECK(reserved.block == 16);
  CHECK(reserved.total == 3 * 112 * 4);
  // A window of 1,024 keeps 1,023 and 2,048 tokens of a step, in 192 blocks, and a block more.
  const auto windowed = reserve({window(1, 1, 1, 1024)}, {.context = 100000}, Engine::vllm);
  CHECK(windowed.kinds[0].tokens == 192 * 16 + 16);
  CHECK(windowed.total == (192 * 16 + 16) * 4);
}

TEST_CASE("reservation: vLLM makes attention blocks as large as a layer's state") {
  // granite-4.0-h-tiny: the state of 3072 · 128 and 3 · 3328 numbers is 806,400 B. A token takes
  // 2,048 B a layer, so that 25 steps of 16 tokens hold it.
  const Reservation reserved = in_vllm(published("ibm-granite/granite-4.0-h-tiny"), 800);
  CHECK(reserved.block == 400);
  // 4 attention layers of two blocks, 36 states of one page each; 9 groups of 4 are full.
  CHECK(reserved.total == (4 * 2 + 36) * 400 * 2048);
}

TEST_CASE("reservation: vLLM pads the groups of layers to the number of the rarest kind") {
  // Gemma-3-27B: 10 full layers make one group. 52 windows make six groups of 10, 8 layers short.
  // At 8,192 tokens a full layer holds 512 blocks, a window 1,023 + 2,048 tokens in 192 blocks and
  // one more. A block of a layer is 16 tokens · 16 heads · 2 · 128 values · 2 B.
  const ConfigValue config =
      parse_config(read_project_file("tests/core/configs/whole/google--gemma-3-27b-it.json"));
  const ModelCache cache = read_or_fail(config);
  const Reservation reserved = in_vllm(config, 8192);
  CHECK(reserved.page_bytes == 131072);
  CHECK(reserved.total == (10 * 512 + 60 * 193) * 131072LL);
  for (std::size_t i = 0; i < cache.layout.size(); i++) {
    CHECK(reserved.kinds[i].padding_layers == (cache.layout[i].layers == 52 ? 8 : 0));
  }
  // gpt-oss-20b has 12 of each: nothing to pad. The window of 128 holds 127 + 2,048 tokens in 136
  // blocks and one more. A page is 16 · 8 heads · 2 · 64 values · 2 B.
  CHECK(in_vllm(model_config("gpt-oss-20b"), 8192).total == 12 * (512 + 137) * 32768LL);
}

TEST_CASE("reservation: vLLM takes the commonest kind's number where it is little larger") {
  // 13 < 1.5 · 12: both kinds make one group of 13. 18 is not below 1.5 · 12: groups of 12.
  const auto padding = [](std::int64_t windows) {
    return reserve({full(12, 1, 1), window(windows, 1, 1, 16)}, {.context = 16}, Engine::vllm);
  };
  CHECK(padding(13).kinds[0].padding_layers == 1);
  CHECK(padding(13).kinds[1].padding_layers == 0);
  CHECK(padding(18).kinds[0].padding_layers == 0);
  CHECK(padding(18).kinds[1].padding_layers == 6);
}

TEST_CASE("reservation: vLLM gives smaller pages more tokens, or pads them") {
  // A token takes 4 B in a full layer and 8 B in a window: pages of 128 B, 32 tokens of the former.
  const CacheLayout even = {full(1, 1, 1), window(1, 2, 1, 16)};
  const Reservation divided = reserve(even, {.context = 33}, Engine::vllm);
  CHECK(divided.page_bytes == 128);
  CHECK(divided.kinds[0].tokens == 64);
  CHECK(divided.kinds[0].bytes == 2 * 128);
  // The window may hold 15 + 2,048 tokens, so all 33: three blocks of 16, and one more.
  CHECK(divided.kinds[1].bytes == 4 * 128);
  // 12 B and 8 B: 128 does not divide 192, and a block of 16 tokens takes a whole page.
  const CacheLayout odd = {full(1, 3, 1), window(1, 2, 1, 16)};
  CHECK(reserve(odd, {.context = 33}, Engine::vllm).kinds[1].bytes == 4 * 192);
}

TEST_CASE("reservation: vLLM keeps full layers of different sizes in one group") {
  // No common page and no padding: 3 · 16 tokens of 4 B, and twice as much in each of 5 layers.
  const CacheLayout layout = {full(2, 1, 1), full(5, 2, 1)};
  CHECK(reserve(layout, {.context = 40}, Engine::vllm).total == 2 * 48 * 4 + 5 * 48 * 8);
}

TEST_CASE("reservation: vLLM keeps a chunk with the tokens of one step") {
  // Llama 4 Scout: 12 full layers and 36 with a chunk of 8,192, in 3 groups. A chunk holds 640
  // blocks. A page is 16 · 8 heads · 2 · 128 values · 2 B.
  const Reservation reserved = in_vllm(model_config("llama-4-scout"), 131072);
  CHECK(reserved.total == (12 * 8192 + 36 * 640) * 65536LL);
}

TEST_CASE("reservation: vLLM pads groups of states") {
  // Bamba-9B: a state of 8192 · 128 and 3 · 8448 numbers is 2,147,840 B, and a token takes 4,096 B
  // a layer: 33 steps of 16 tokens. 29 states make ten groups of 3, one layer short.
  const Reservation reserved = in_vllm(published("ibm-ai-platform/Bamba-9B"), 1000);
  CHECK(reserved.block == 528);
  CHECK(reserved.total == (3 * 2 + 30) * 528 * 4096LL);
}

TEST_CASE("reservation: vLLM keeps the other input in blocks too") {
  // Whisper: 1,500 positions are 94 blocks, 448 tokens 28, in 32 layers each. A page is
  // 16 · 20 heads · 2 · 64 values · 2 B.
  const Reservation reserved = in_vllm(published("openai/whisper-large-v3"), 448);
  CHECK(reserved.total == 32 * (28 + 94) * 81920LL);
}

TEST_CASE("reservation: llama.cpp pads to 256 cells and keeps a window with one step") {
  const CacheLayout layout = {full(1, 1, 1), window(1, 1, 1, 512)};
  const auto reserved = reserve(layout, {.context = 5000}, Engine::llama_cpp);
  CHECK(reserved.kinds[0].tokens == 5120);
  CHECK(reserved.kinds[1].tokens == 1024);
  // A window is never larger than the context.
  CHECK(reserve(layout, {.context = 300}, Engine::llama_cpp).kinds[1].tokens == 512);
}

TEST_CASE("reservation: SGLang allocates exactly the tokens") {
  const CacheLayout layout = {full(2, 3, 5), window(1, 1, 1, 7)};
  const CacheQuery query{.context = 101, .batch = 2};
  CHECK(reserve(layout, query, Engine::sglang).total == cache_bytes(layout, query).total);
}

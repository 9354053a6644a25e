// The defaults of published classes, from the numbers in their own files
// (transformers/models/*/configuration_*.py).
#include "core/config_defaults.h"

#include <doctest/doctest.h>

#include <string>

#include "core/programs/json_config.h"
#include "tests/core/layer_kinds.h"
#include "tests/core/model_files.h"

using namespace attn;

namespace {

constexpr std::int64_t kFarBeyondAnyWindow = 1 << 24;

/// The layers, key-value heads and width of a head of a class's default model.
struct Sizes {
  const char* name;
  std::int64_t full;
  std::int64_t windowed;
  std::int64_t heads;
  std::int64_t width;
};

constexpr Sizes kSizes[] = {
    {"llama", 32, 0, 32, 128},
    {"mistral", 0, 32, 8, 128},
    {"mixtral", 32, 0, 8, 128},
    {"qwen2", 32, 0, 32, 128},
    {"qwen2_moe", 24, 0, 16, 128},
    {"qwen2_vl_text", 80, 0, 8, 128},
    {"qwen2_5_vl_text", 80, 0, 8, 128},
    {"qwen3", 32, 0, 32, 128},
    {"qwen3_moe", 24, 0, 4, 64},
    {"gemma", 28, 0, 16, 256},
    {"gemma2", 13, 13, 4, 256},
    {"gemma3_text", 4, 22, 4, 256},
    // 35 layers, of which the last 15 read the cache of others; every fifth is full.
    {"gemma3n_text", 4, 16, 2, 256},
    {"cohere", 40, 0, 64, 128},
    {"cohere2", 10, 30, 64, 128},
    {"olmo", 32, 0, 32, 128},
    {"olmo2", 32, 0, 32, 128},
    {"olmo3", 8, 24, 32, 128},
    {"exaone4", 8, 24, 32, 128},
    {"gpt_oss", 18, 18, 8, 64},
    {"llama4_text", 12, 36, 8, 128},
    {"phi", 24, 0, 32, 64},
    // 40 layers, of which 8 attend to the image only.
    {"mllama_text_model", 32, 0, 8, 128},
    {"phi3", 32, 0, 32, 96},
    {"starcoder2", 30, 0, 2, 128},
    {"gpt_bigcode", 12, 0, 1, 64},
    {"gpt2", 12, 0, 12, 64},
    {"gpt_neo", 12, 12, 16, 128},
    {"gpt_neox", 44, 0, 64, 96},
    {"gptj", 28, 0, 16, 256},
    {"codegen", 28, 0, 16, 256},
    {"opt", 12, 0, 12, 64},
    {"bloom", 2, 0, 8, 8},
    {"mpt", 24, 0, 16, 128},
    {"falcon", 32, 0, 1, 64},
    {"stablelm", 32, 0, 32, 80},
    {"persimmon", 36, 0, 64, 64},
    {"glm", 40, 0, 2, 128},
    {"glm4", 40, 0, 2, 128},
    {"granite", 32, 0, 32, 128},
    // DBRX: one key-value head where attn_config does not state more.
    {"dbrx", 24, 0, 1, 128},
    // Nine of 54 layers have attention, over twice the model's width: 5120 / 32.
    {"zamba2", 9, 0, 32, 160},
    {"t5", 6, 0, 8, 64},
    {"mt5", 8, 0, 6, 64},
    {"umt5", 8, 0, 6, 64},
    {"bart", 12, 0, 16, 64},
    {"mbart", 12, 0, 16, 64},
    {"m2m_100", 12, 0, 16, 64},
    {"marian", 12, 0, 16, 64},
    {"pegasus", 12, 0, 16, 64},
};

ConfigValue of_class(const std::string& name) {
  return parse_config(R"({"model_type": ")" + name + R"("})");
}

}  // namespace

TEST_CASE("config: a class's default model") {
  for (const Sizes& sizes : kSizes) {
    INFO(sizes.name);
    const ModelCache cache = read_or_fail(of_class(sizes.name));
    const CacheBytes bytes = cache_bytes(cache.layout, {.context = kFarBeyondAnyWindow});
    const std::int64_t layer = sizes.heads * sizes.width * 2 * 2;
    CHECK(bytes.growing_per_token == sizes.full * layer);
    CHECK(bytes.within_window_per_token == (sizes.full + sizes.windowed) * layer);
    CHECK(cache.doubts.empty());
  }
}

TEST_CASE("config: a stated pattern replaces the class's list") {
  const ModelCache cache = read_or_fail(parse_config(
      R"({"model_type": "gpt_neo", "num_layers": 4, "num_heads": 1, "hidden_size": 8,
          "attention_types": [[["global", "local"], 2]]})"));
  CHECK(cache.layout[0].layers == 2);
  CHECK(cache.layout[1].layers == 2);
}

TEST_CASE("config: PaliGemma reads its prompt both ways and still keeps a cache") {
  const char* const text = R"({"model_type": "gemma", "use_bidirectional_attention": true})";
  const ConfigValue whole =
      parse_config(R"({"model_type": "paligemma", "text_config": )" + std::string(text) + "}");
  CHECK(read_or_fail(whole).layout[0].layers == 28);
  CHECK(std::holds_alternative<Refusal>(read_config(parse_config(text))));
}

TEST_CASE("config: a window of Qwen2-MoE names a doubt, since versions of the class differ") {
  const ModelCache cache = read_or_fail(parse_config(
      R"({"model_type": "qwen2_moe", "use_sliding_window": true, "sliding_window": 4096,
          "max_window_layers": 12})"));
  CHECK(cache.layout == CacheLayout{full(24, 16, 128)});
  REQUIRE(cache.doubts.size() == 1);
  CHECK(cache.doubts[0].code == "open_window");
}

TEST_CASE("config: GLM's sparse attention keeps index keys of the class's width") {
  const auto growing = [](const char* json) {
    return cache_bytes(read_or_fail(parse_config(json)).layout, {.context = 1}).growing_per_token;
  };
  // A latent vector of 512 + 64 numbers and an index key of 128 in each layer, 2 B a number.
  CHECK(growing(R"({"model_type": "glm_moe_dsa"})") == 78 * (512 + 64 + 128) * 2);
  // The class saves its own name of that attention for each layer.
  CHECK(growing(R"({"model_type": "glm_moe_dsa", "num_hidden_layers": 2, "layer_types":
                    ["deepseek_sparse_attention", "deepseek_sparse_attention"]})") ==
        2 * (512 + 64 + 128) * 2);
  // A shared indexer takes the choice of the layer before.
  CHECK(growing(R"({"model_type": "glm_moe_dsa", "num_hidden_layers": 3,
                    "indexer_types": ["full", "shared", "full"], "index_topk_freq": 2})") ==
        (3 * (512 + 64) + 2 * 128) * 2);
}

// The bytes of one token in published models, each with its arithmetic. Values are BF16, 2 bytes
// each, unless noted.
#include <doctest/doctest.h>

#include <algorithm>
#include <string>

#include "core/kv_cache.h"
#include "tests/core/model_files.h"

using namespace attn;

namespace {

constexpr std::int64_t kFarBeyondAnyWindow = 1 << 20;

CacheBytes bytes_of(const CacheLayout& layout, std::int64_t context = kFarBeyondAnyWindow) {
  return cache_bytes(layout, {.context = context});
}

CacheBytes bytes_of(const std::string& model) {
  return bytes_of(read_or_fail(model_config(model)).layout);
}

/// Bytes per token, for models in which every growing layer grows without limit and no part is
/// constant.
std::int64_t per_token(const std::string& model) {
  const CacheBytes bytes = bytes_of(model);
  CHECK(bytes.within_window_per_token == bytes.growing_per_token);
  CHECK(bytes.constant == 0);
  return bytes.growing_per_token;
}

/// Bytes per token of all layers of one kind.
std::int64_t per_token_of(const ModelCache& cache, CacheKind kind) {
  const CacheBytes bytes = bytes_of(cache.layout);
  std::int64_t sum = 0;
  for (std::size_t i = 0; i < cache.layout.size(); i++) {
    if (cache.layout[i].kind == kind) sum += bytes.kinds[i].bytes_per_token;
  }
  return sum;
}

/// Bytes of all layers of one kind, at any length.
std::int64_t constant_of(const ModelCache& cache, CacheKind kind) {
  const CacheBytes bytes = bytes_of(cache.layout);
  std::int64_t sum = 0;
  for (std::size_t i = 0; i < cache.layout.size(); i++) {
    if (cache.layout[i].kind == kind) sum += bytes.kinds[i].constant;
  }
  return sum;
}

CacheBytes variant_bytes(const ModelCache& cache, const std::string& code) {
  for (const CacheVariant& variant : cache.variants) {
    if (variant.code == code) return bytes_of(variant.layout);
  }
  FAIL("no variant " << code);
  return {};
}

bool assumes(const ModelCache& cache, const std::string& code) {
  return std::any_of(cache.assumed.begin(), cache.assumed.end(),
                     [&](const Assumption& assumption) { return assumption.code == code; });
}

}  // namespace

TEST_CASE("config: models that keep keys and values of every token in every layer") {
  // layers · KV heads · (key + value width) · 2 B
  CHECK(per_token("llama-3.1-8b") == 32 * 8 * (128 + 128) * 2);   // 131,072
  CHECK(per_token("qwen3-0.6b") == 28 * 8 * (128 + 128) * 2);     // 114,688: 1024/16 would give 64
  CHECK(per_token("qwen3-30b-a3b") == 48 * 4 * (128 + 128) * 2);  // 98,304
  CHECK(per_token("qwen3-vl-4b") == 36 * 8 * (128 + 128) * 2);    // 147,456, not the tower's 24
  CHECK(per_token("mixtral-8x7b") == 32 * 8 * (128 + 128) * 2);   // 131,072
  CHECK(per_token("mimo-7b") == 36 * 8 * (128 + 128) * 2);        // 147,456: the window is off
  CHECK(per_token("minimax-m2.5") == 62 * 8 * (128 + 128) * 2);   // 253,952: 3 MTP modules aside
  CHECK(per_token("llama-2-7b") == 32 * 32 * (128 + 128) * 2);    // 524,288: no sharing
  CHECK(per_token("llama-2-70b") == 80 * 8 * (128 + 128) * 2);    // 327,680
  CHECK(per_token("qwen2.5-7b") == 28 * 4 * (128 + 128) * 2);     // 57,344
  CHECK(per_token("glm-4.7") == 92 * 8 * (128 + 128) * 2);        // 376,832
  CHECK(per_token("deepseek-llm-67b") == 95 * 8 * (128 + 128) * 2);  // 389,120
}

TEST_CASE("config: old names of the fields") {
  CHECK(per_token("gpt2") == 12 * 12 * (64 + 64) * 2);        // 36,864: n_embd 768 / n_head 12
  CHECK(per_token("gpt-j-6b") == 28 * 16 * (256 + 256) * 2);  // 458,752
  CHECK(per_token("falcon-7b") ==
        32 * 1 * (64 + 64) * 2);  // 8,192: multi_query, whatever num_kv_heads
  CHECK(per_token("falcon-40b") == 60 * 8 * (64 + 64) * 2);     // 122,880: n_head_kv
  CHECK(per_token("chatglm3-6b") == 28 * 2 * (128 + 128) * 2);  // 28,672: multi_query_group_num
}

TEST_CASE("config: latent attention stores one vector per token and layer") {
  // layers · (kv_lora_rank 512 + qk_rope_head_dim 64) · 2 B
  CHECK(per_token("deepseek-v2") == 60 * 576 * 2);    // 69,120
  CHECK(per_token("deepseek-v3") == 61 * 576 * 2);    // 70,272
  CHECK(per_token("kimi-k2.5") == 61 * 576 * 2);      // 70,272
  CHECK(per_token("glm-5.3") == 78 * 576 * 2);        // 89,856
  CHECK(per_token("glm-4.7-flash") == 47 * 576 * 2);  // 54,144: head_dim 64 is the rotary part
  // Expanded, as the first implementations kept it: 128 heads · (128 + 64 + 128) values.
  const auto cache = read_or_fail(model_config("deepseek-v3"));
  CHECK(variant_bytes(cache, "latent_expanded").growing_per_token == 61 * 128 * 320 * 2);
}

TEST_CASE("config: index keys come on top of the latent vectors") {
  const auto v32 = read_or_fail(model_config("deepseek-v3.2"));
  CHECK(per_token_of(v32, CacheKind::latent) == 61 * 576 * 2);  // 70,272
  CHECK(per_token_of(v32, CacheKind::index) == 61 * 256);       // 128 values of 2 B a layer
  CHECK(variant_bytes(v32, "index_in_bytes").growing_per_token == 70272 + 61 * 128);
  const auto glm = read_or_fail(model_config("glm-5"));
  CHECK(per_token_of(glm, CacheKind::latent) == 78 * 576 * 2);  // 89,856
  CHECK(per_token_of(glm, CacheKind::index) == 78 * 256);
  CHECK(variant_bytes(glm, "index_in_bytes").growing_per_token == 89856 + 78 * 128);
}

TEST_CASE("config: gpt-oss-20b alternates a window of 128 with full attention") {
  const auto cache = read_or_fail(model_config("gpt-oss-20b"));
  const std::int64_t dozen = 12 * 8 * (64 + 64) * 2;  // 24,576; 2880/64 would give a width of 45
  CHECK(bytes_of(cache.layout, 127).growing_per_token == 2 * dozen);
  CHECK(bytes_of(cache.layout, 128).growing_per_token == dozen);
  CHECK(bytes_of(cache.layout).within_window_per_token == 49152);
  CHECK(assumes(cache, "dtype_bfloat16"));
  CHECK(cache.layer_kinds.front() == 0);
  CHECK(cache.layout[cache.layer_kinds[0]].kind == CacheKind::window);
  CHECK(cache.layout[cache.layer_kinds[1]].kind == CacheKind::full);
}

TEST_CASE("config: Gemma-4-26B-A4B, heads and widths of its own in the full layers") {
  const auto cache = read_or_fail(model_config("gemma-4-26b-a4b"));
  CHECK(per_token_of(cache, CacheKind::window) == 25 * 8 * (256 + 256) * 2);  // 204,800
  CHECK(per_token_of(cache, CacheKind::full) == 5 * 2 * (512 + 512) * 2);     // 20,480
  CHECK(bytes_of(cache.layout, 1023).growing_per_token == 225280);
  CHECK(bytes_of(cache.layout, 1024).growing_per_token == 20480);
  CHECK(variant_bytes(cache, "keys_serve_as_values").growing_per_token == 10240);
}

TEST_CASE("config: MiMo-V2-Flash, values narrower than keys and more heads in the windows") {
  const auto cache = read_or_fail(model_config("mimo-v2-flash"));
  CHECK(per_token_of(cache, CacheKind::window) == 39 * 8 * (192 + 128) * 2);  // 199,680
  CHECK(per_token_of(cache, CacheKind::full) == 9 * 4 * (192 + 128) * 2);     // 23,040
  CHECK(bytes_of(cache.layout, 127).growing_per_token == 222720);
  CHECK(bytes_of(cache.layout, 128).growing_per_token == 23040);
}

TEST_CASE("config: Mistral-7B-v0.1 has its window in every layer") {
  const auto cache = read_or_fail(model_config("mistral-7b-v0.1"));
  CHECK(bytes_of(cache.layout, 4095).growing_per_token == 32 * 8 * (128 + 128) * 2);
  CHECK(bytes_of(cache.layout, 4096).growing_per_token == 0);
  CHECK(assumes(cache, "every_layer_windowed"));
  // In an engine without windows the cache keeps growing.
  CHECK(variant_bytes(cache, "windows_kept_whole").growing_per_token == 131072);
}

TEST_CASE("config: further windowed models") {
  // Gemma-3-1B: every sixth of 26 layers is full, so 4; one head of 256.
  const auto gemma = bytes_of("gemma-3-1b");
  CHECK(gemma.growing_per_token == 4 * 1 * (256 + 256) * 2);
  CHECK(gemma.within_window_per_token == 26 * 1 * (256 + 256) * 2);
  // Step-3.7-Flash: one full, three windowed, over again; the 45th layer is full: 12 and 33.
  const auto step = bytes_of("step-3.7-flash");
  CHECK(step.growing_per_token == 12 * 8 * (128 + 128) * 2);
  CHECK(step.within_window_per_token == 45 * 8 * (128 + 128) * 2);
}

TEST_CASE("config: Llama-4-Scout states its chunk but not which layers have it") {
  const auto cache = read_or_fail(model_config("llama-4-scout"));
  CHECK(bytes_of(cache.layout, 8191).growing_per_token == 48 * 8 * (128 + 128) * 2);  // 196,608
  CHECK(bytes_of(cache.layout, 8192).growing_per_token == 12 * 8 * (128 + 128) * 2);  // 49,152
  CHECK(assumes(cache, "every_fourth_full"));
}

TEST_CASE("config: linear attention keeps a state of constant size") {
  const auto cache = read_or_fail(model_config("qwen3.5-27b"));
  CHECK(bytes_of(cache.layout).growing_per_token == 16 * 4 * (256 + 256) * 2);  // 65,536
  // 48 layers · 48 value heads · 128 · 128 numbers in FP32 (mamba_ssm_dtype): 144 MiB.
  CHECK(constant_of(cache, CacheKind::state) == 144 << 20);
  // The last 3 inputs of 16 · 128 query, as many key and 48 · 128 value channels, BF16.
  CHECK(constant_of(cache, CacheKind::convolution) == 48 * 3 * (2 * 2048 + 6144) * 2);
  CHECK(variant_bytes(cache, "convolution_whole_kernel").constant ==
        (144 << 20) + 48 * 4 * 10240 * 2);

  const auto next = read_or_fail(model_config("qwen3-next-80b-a3b"));
  CHECK(bytes_of(next.layout).growing_per_token == 12 * 2 * (256 + 256) * 2);  // 24,576
  CHECK(constant_of(next, CacheKind::state) == 36 * 32 * 128 * 128 * 4);       // 72 MiB
  CHECK(assumes(next, "linear_state_float32"));
  CHECK(variant_bytes(next, "state_in_model_dtype").constant ==
        36 * (32 * 128 * 128 * 2 + 3 * (2 * 2048 + 4096) * 2));

  const auto anchor = read_or_fail(model_config("anchor-model"));
  CHECK(bytes_of(anchor.layout).growing_per_token == 65536);
  CHECK(bytes_of(anchor.layout).constant == 144 << 20);
  CHECK(anchor.layer_kinds.empty());  // counts only, in no order
}

TEST_CASE("config: Nemotron-H-56B, ten attention layers among Mamba-2 and feed-forward layers") {
  const auto cache = read_or_fail(model_config("nemotron-h-56b"));
  CHECK(bytes_of(cache.layout).growing_per_token == 10 * 8 * (128 + 128) * 2);  // 40,960
  // 54 layers · 256 heads · 64 · state width 256 numbers: in the model's BF16, or in FP32.
  const std::int64_t numbers = 54LL * 256 * 64 * 256;
  CHECK(constant_of(cache, CacheKind::state) == numbers * 2);
  // The last 3 of 256 · 64 channels and of two projections of 8 groups · 256.
  const std::int64_t convolution = 54 * 3 * (16384 + 2 * 8 * 256) * 2;
  CHECK(constant_of(cache, CacheKind::convolution) == convolution);
  CHECK(variant_bytes(cache, "state_in_float32").constant == numbers * 4 + convolution);
  CHECK(cache.layout[cache.layer_kinds[7]].kind ==
        CacheKind::full);  // the eighth letter is the first *
}

TEST_CASE("config: Jamba-v0.1, one attention layer in eight among Mamba layers") {
  const auto cache = read_or_fail(model_config("jamba-v0.1"));
  CHECK(bytes_of(cache.layout).growing_per_token == 4 * 8 * (128 + 128) * 2);  // 16,384
  CHECK(constant_of(cache, CacheKind::state) == 28 * 2 * 4096 * 16 * 2);
  CHECK(constant_of(cache, CacheKind::convolution) == 28 * 3 * 2 * 4096 * 2);
  CHECK(cache.layout[cache.layer_kinds[4]].kind == CacheKind::full);
}

TEST_CASE("config: LFM2-1.2B, short convolutions and six attention layers listed by index") {
  const auto cache = read_or_fail(model_config("lfm2-1.2b"));
  CHECK(bytes_of(cache.layout).growing_per_token == 6 * 8 * (64 + 64) * 2);  // 12,288
  CHECK(bytes_of(cache.layout).constant == 10 * 2 * 2048 * 2);               // 81,920
}

TEST_CASE("config: layers that read another layer's cache") {
  // Gemma-3n-E2B: of 30 layers the last 10 share; the first 20 hold 4 full and 16 windowed ones.
  const auto gemma = bytes_of("gemma-3n-e2b");
  CHECK(gemma.growing_per_token == 4 * 2 * (256 + 256) * 2);         // 8,192
  CHECK(gemma.within_window_per_token == 20 * 2 * (256 + 256) * 2);  // 40,960
  // Hunyuan-Large: two layers to a cache, so 32 of 64.
  CHECK(per_token("hunyuan-large") == 32 * 8 * (128 + 128) * 2);
}

TEST_CASE("config: Llama-3.3-Nemotron-Super-49B describes each block; 31 of 80 skip attention") {
  CHECK(per_token("llama-3.3-nemotron-super-49b") == 49 * 8 * (128 + 128) * 2);  // 200,704
  const auto cache = read_or_fail(model_config("llama-3.3-nemotron-super-49b"));
  CHECK(cache.layer_kinds.size() == 80);
  CHECK(cache.layout[cache.layer_kinds[6]].kind == CacheKind::none);
}

TEST_CASE("config: a cache that the file keeps in 8 bits, and weights that are") {
  const auto laguna = read_or_fail(model_config("laguna-xs.2-fp8"));
  CHECK(laguna.format.bits == 8);
  CHECK(laguna.dtype_path == "quantization_config.kv_cache_scheme.num_bits");
  // 10 full layers · 8 heads · 256 values · 1 B; twice that in the model's own format.
  const CacheQuery query{.context = kFarBeyondAnyWindow, .format = laguna.format};
  CHECK(cache_bytes(laguna.layout, query).growing_per_token == 10 * 8 * 256);
  CHECK(variant_bytes(laguna, "cache_in_model_dtype").growing_per_token == 10 * 8 * 256 * 2);
  // FP8 weights say nothing about the cache.
  CHECK(read_or_fail(model_config("deepseek-v3")).format.bits == 16);
  CHECK(read_or_fail(model_config("mimo-v2-flash")).format.bits == 16);
}

TEST_CASE("config: an unsupported layer kind is refused with its field") {
  const auto v4 = described(read_config(model_config("deepseek-v4-flash")));
  CHECK(v4.starts_with("refused compressed compress_ratios: compress_ratios compresses several"));
  const auto quoted = described(read_config(model_config("deepseek-v4.1")));
  CHECK(quoted.starts_with("refused not_stated num_hidden_layers"));
}

TEST_CASE("config: every number of a layout names its key") {
  for (const std::string& model : model_names()) {
    const auto result = read_config(model_config(model));
    const auto* cache = std::get_if<ModelCache>(&result);
    if (cache == nullptr) continue;
    INFO(model);
    for (std::size_t i = 0; i < cache->layout.size(); i++) {
      const LayerKind& kind = cache->layout[i];
      const auto named = [&](const std::string& field) {
        return std::any_of(
            cache->sources.begin(), cache->sources.end(), [&](const FieldSource& source) {
              return source.kind == i && source.field == field && !source.path.empty();
            });
      };
      CHECK(named("layers"));
      const bool latent = kind.kind == CacheKind::latent || kind.kind == CacheKind::index;
      CHECK((named("heads") || latent) == (kind.heads > 0));
      CHECK(named("k_width") == (kind.k_width > 0));
      CHECK(named("v_width") == (kind.v_width > 0));
      CHECK(named("window") == (kind.window > 0));
      CHECK(named("state_bytes") == (kind.state_bytes > 0));
    }
  }
}

TEST_CASE("config: at least twenty published models are there, nearly all readable") {
  std::int64_t readable = 0;
  for (const std::string& model : model_names()) {
    readable += std::holds_alternative<ModelCache>(read_config(model_config(model)));
  }
  CHECK(readable >= 24);
  CHECK(static_cast<std::int64_t>(model_names().size()) - readable == 2);  // those refused above
}

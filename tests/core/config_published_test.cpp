// Published configs of many kinds: the bytes of one token, each worked by hand from the model's
// code. tests/core/configs/whole/ has whole files, decisive-keys.json the keys that matter and
// those that are easily misread; both lists give the derivation of each value.
#include <doctest/doctest.h>

#include <string>

#include "core/programs/json_config.h"
#include "tests/core/model_files.h"

using namespace attn;

namespace {

constexpr std::int64_t kFarBeyondAnyWindow = 1 << 24;

ConfigValue list_of(const std::string& name) {
  return parse_config(read_project_file("tests/core/configs/" + name));
}

/// The whole number under a key; 0 where there is none.
std::int64_t number_at(const ConfigValue& row, const char* key) {
  const ConfigValue* value = row.find(key);
  return value == nullptr ? 0 : static_cast<std::int64_t>(value->as_number());
}

void check_row(const ConfigValue& row, const ConfigValue& config) {
  const auto result = read_config(config);
  if (const ConfigValue* code = row.find("refused")) {
    REQUIRE(std::holds_alternative<Refusal>(result));
    const auto& refusal = std::get<Refusal>(result);
    CHECK(name(code_of(refusal.reason)) == code->as_string());
    // Models with a state in every layer: its bytes, in the file's own format.
    const std::int64_t state = number_at(row, "state");
    CHECK((refusal.reason == Reason::state_only) == (state > 0));
    if (state > 0) CHECK(refusal.detail == std::to_string(state));
    return;
  }
  const ModelCache cache = read_or_fail(config);
  const CacheBytes bytes = cache_bytes(cache.layout, {.context = kFarBeyondAnyWindow});
  CHECK(bytes.growing_per_token == number_at(row, "growing"));
  CHECK(bytes.within_window_per_token == number_at(row, "within"));
  CHECK(bytes.constant == number_at(row, "constant"));
  CHECK(bytes.per_source_token == number_at(row, "source"));
}

}  // namespace

TEST_CASE("config: whole published files") {
  const ConfigValue list = list_of("whole-files.json");
  for (const ConfigValue& row : list.values()) {
    const std::string file = row.find("file")->as_string();
    INFO(file);
    const ConfigValue config = list_of("whole/" + file + ".json");
    check_row(row, config);
    const auto result = read_config(config);
    if (const auto* cache = std::get_if<ModelCache>(&result)) {
      CHECK(static_cast<std::int64_t>(cache->doubts.size()) == number_at(row, "doubts"));
    }
  }
}

TEST_CASE("config: the decisive keys of published files") {
  const ConfigValue list = list_of("decisive-keys.json");
  for (const ConfigValue& row : list.values()) {
    INFO(row.find("model")->as_string());
    check_row(row, *row.find("config"));
  }
}

TEST_CASE("config: a model without attention is refused with the make-up of its state") {
  const auto shape = [](const char* file) {
    const auto result = read_config(list_of(file));
    return std::get<Refusal>(result).other;
  };
  CHECK(shape("whole/tiiuae--falcon-mamba-7b.json") == "64 × ((8192 × 16 + 8192 × 3) × 2)");
  CHECK(shape("whole/RWKV--rwkv-6-world-1b6.json") == "24 × (32 × 64 × 64 × 4 + 2 × 2048 × 2)");
}

TEST_CASE("config: RWKV with attention layers among the others is no model without a cache") {
  const auto result = read_config(parse_config(
      R"({"model_type": "rwkv7", "hidden_size": 64, "head_dim": 64, "num_hidden_layers": 2,
          "attn": {"layers": [1], "num_heads": 1}})"));
  CHECK(name(code_of(std::get<Refusal>(result).reason)) == "unknown_kind");
}

TEST_CASE("config: values supplied by a class are listed, with the class") {
  const ModelCache cache = read_or_fail(list_of("whole/google--gemma-3-27b-it.json"));
  REQUIRE(cache.assumed.size() == 1);
  CHECK(cache.assumed[0].code == "class_default");
  CHECK(cache.assumed[0].field == "text_config.sliding_window_pattern");
  CHECK(cache.assumed[0].value == "6");
  CHECK(cache.assumed[0].detail == "gemma3_text");
}

TEST_CASE("config: each pass through the layers has a cache of its own") {
  const ModelCache cache = read_or_fail(list_of("whole/ByteDance--Ouro-1.4B.json"));
  CHECK(cache.n_layers == 24);
  CHECK(cache.passes == 4);
  CHECK(cache.layout[0].layers == 96);
}

TEST_CASE("config: prediction layers make a separate variant") {
  const ModelCache cache = read_or_fail(list_of("whole/LGAI-EXAONE--EXAONE-4.5-33B.json"));
  for (const CacheVariant& variant : cache.variants) {
    if (variant.code != "prediction_layers") continue;
    // One more full layer of 8 heads · 256 values · 2 B.
    const CacheBytes bytes = cache_bytes(variant.layout, {.context = kFarBeyondAnyWindow});
    CHECK(bytes.growing_per_token == 65536 + 8 * 256 * 2);
    return;
  }
  FAIL("no variant");
}

TEST_CASE(
    "config: groups of layers keep a delta rule's state where a short convolution is stated") {
  const auto layout = [](const char* convolution) {
    return read_or_fail(parse_config(std::string(R"({"hidden_size": 64, "num_hidden_layers": 5,
        "num_attention_heads": 4, "num_key_value_heads": 2, "head_dim": 16, "torch_dtype":
        "bfloat16", "layer_group_size": 2)") +
                                     convolution + "}"))
        .layout;
  };
  // Layers 2 and 4 end a group and the fifth stands behind the last: 3 · 2 heads · 16 · 2 · 2 B.
  // The others keep 4 squares of 16 numbers: FP32 and 3 inputs of 3 · 4 · 16 numbers for the delta
  // rule, the model's two bytes for lightning attention.
  const CacheBytes delta =
      cache_bytes(layout(R"(, "short_conv_kernel_size": 4)"), {.context = 1000});
  CHECK(delta.growing_per_token == 3 * 128);
  CHECK(delta.constant == 2 * (4 * 16 * 16 * 4 + 3 * 3 * 4 * 16 * 2));
  const CacheBytes lightning = cache_bytes(layout(""), {.context = 1000});
  CHECK(lightning.growing_per_token == 3 * 128);
  CHECK(lightning.constant == 2 * 4 * 16 * 16 * 2);
}

TEST_CASE(
    "config: a layer with two attentions counts twice, whether or not the file adds them up") {
  const auto read = [](const char* sum) {
    return read_or_fail(parse_config(std::string(R"({"model_type": "longcat_flash", "num_layers": 3,
        "num_attention_heads": 4, "hidden_size": 64, "kv_lora_rank": 32, "qk_rope_head_dim": 8,
        "torch_dtype": "bfloat16")") +
                                     sum + "}"));
  };
  for (const char* sum : {"", R"(, "num_hidden_layers": 6)"}) {
    const ModelCache cache = read(sum);
    CHECK(cache.n_layers == 6);
    CHECK(cache.assumed[0].code == "two_attentions");
    // 2 · 3 latent vectors of 32 + 8 numbers, 2 B each.
    CHECK(cache_bytes(cache.layout, {.context = 1}).growing_per_token == 2 * 3 * 40 * 2);
  }
}

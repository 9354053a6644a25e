// The reader's rules, one at a time, on minimal configs.
#include "core/config_reader.h"

#include <doctest/doctest.h>

#include <string>

#include "core/programs/json_config.h"
#include "tests/core/model_files.h"

using namespace attn;

namespace {

/// "full window full …" for each layer.
std::string kinds_of(const std::string& json) {
  const ModelCache cache = read_or_fail(parse_config(json));
  std::string text;
  for (const std::size_t kind : cache.layer_kinds) {
    text.append(text.empty() ? "" : " ").append(name(cache.layout[kind].kind));
  }
  return text;
}

LayerKind only_kind(const std::string& json) {
  const ModelCache cache = read_or_fail(parse_config(json));
  REQUIRE(cache.layout.size() == 1);
  return cache.layout[0];
}

std::string assumptions_of(const std::string& json) {
  std::string text;
  for (const Assumption& assumption : read_or_fail(parse_config(json)).assumed) {
    text.append(text.empty() ? "" : ", ").append(assumption.code);
    text += " " + assumption.field + "=" + assumption.value;
  }
  return text;
}

}  // namespace

TEST_CASE("config: the language model is found where it is nested, towers are not") {
  const std::string inner = four_layers("");
  CHECK(only_kind(R"({"text_config": )" + inner + "}").layers == 4);
  CHECK(only_kind(R"({"llm_config": )" + inner + "}").layers == 4);
  CHECK(only_kind(R"({"language_config": )" + inner + "}").layers == 4);
  CHECK(only_kind(R"({"thinker_config": {"text_config": )" + inner + "}}").layers == 4);
  CHECK(only_kind(R"({"vision_config": {"num_hidden_layers": 27, "num_attention_heads": 16},
                      "text_config": )" +
                  inner + "}")
            .layers == 4);
  SUBCASE("a level without a needed key is not completed from another level") {
    CHECK(refusal_of(R"({"num_hidden_layers": 9, "text_config": {"head_dim": 8}})") ==
          "missing text_config.num_hidden_layers");
    CHECK(refusal_of(R"({"vision_config": )" + inner + "}") == "missing num_hidden_layers");
  }
  SUBCASE("two candidates are refused") {
    const std::string other = R"({"num_hidden_layers": 5})";
    CHECK(refusal_of(R"({"text_config": )" + inner + R"(, "llm_config": )" + other + "}") ==
          "contradiction llm_config");
    CHECK(only_kind(R"({"text_config": )" + inner + R"(, "llm_config": )" + inner + "}").layers ==
          4);
  }
  SUBCASE("an outer level may repeat the inner one, not contradict it") {
    CHECK(only_kind(R"({"num_hidden_layers": 4, "text_config": )" + inner + "}").layers == 4);
    CHECK(doubts_of(R"({"num_hidden_layers": 5, "text_config": )" + inner + "}") ==
          "num_hidden_layers=5");
  }
  SUBCASE("a config must be an object, and so must its nested configs") {
    CHECK(refusal_of("[]") == "type ");
    CHECK(refusal_of("null") == "type ");
    CHECK(refusal_of(R"({"text_config": 3})") == "type text_config");
  }
}

TEST_CASE("config: width of a head, stated or derived") {
  const std::string base = R"({"num_hidden_layers": 1, "num_attention_heads": 4,
      "num_key_value_heads": 2, "hidden_size": 64, "torch_dtype": "float16")";
  CHECK(only_kind(base + "}").k_width == 16);
  CHECK(assumptions_of(base + "}") == "derived_head_dim head_dim=16");
  CHECK(only_kind(base + R"(, "head_dim": 40})").k_width == 40);
  CHECK(only_kind(base + R"(, "head_dim": null})").k_width == 16);
  CHECK(only_kind(base + R"(, "attention_head_dim": 40})").k_width == 40);
  CHECK(only_kind(base + R"(, "kv_channels": 40})").k_width == 40);
  CHECK(refusal_of(base + R"(, "head_dim": 40, "kv_channels": 41})") ==
        "contradiction kv_channels");
  CHECK(only_kind(base + R"(, "head_dim": 40, "v_head_dim": 24})").v_width == 24);
  CHECK(refusal_of(R"({"num_hidden_layers": 1, "num_attention_heads": 3, "hidden_size": 64})") ==
        "range hidden_size");
  CHECK(refusal_of(R"({"num_hidden_layers": 1, "num_attention_heads": 3})") == "missing head_dim");
  CHECK(refusal_of(R"({"num_hidden_layers": 1, "hidden_size": 64})") ==
        "missing num_attention_heads");
}

TEST_CASE("config: number of key-value heads under its many names") {
  const std::string base =
      R"({"num_hidden_layers": 1, "n_head": 8, "head_dim": 4, "torch_dtype": "float16")";
  CHECK(only_kind(base + "}").heads == 8);
  CHECK(assumptions_of(base + "}") == "one_kv_head_each num_key_value_heads=8");
  CHECK(assumptions_of(base + R"(, "num_key_value_heads": null})") ==
        "one_kv_head_each num_key_value_heads=8");
  CHECK(only_kind(base + R"(, "n_head_kv": 2})").heads == 2);
  CHECK(only_kind(base + R"(, "num_kv_heads": 2})").heads == 2);
  CHECK(refusal_of(base + R"(, "num_kv_heads": 2, "num_key_value_heads": 4})") ==
        "contradiction num_kv_heads");
  CHECK(refusal_of(base + R"(, "num_key_value_heads": 3})") == "range num_key_value_heads");
  SUBCASE("one head for all, unless the newer layout has groups") {
    CHECK(only_kind(base + R"(, "multi_query": true})").heads == 1);
    CHECK(only_kind(base + R"(, "multi_query": true, "num_kv_heads": 8})").heads == 1);
    CHECK(only_kind(base + R"(, "multi_query": false})").heads == 8);
    CHECK(only_kind(base + R"(, "multi_query": true, "new_decoder_architecture": true,
                            "num_kv_heads": 2})")
              .heads == 2);
    CHECK(refusal_of(base + R"(, "multi_query": true, "num_key_value_heads": 4})") ==
          "contradiction num_key_value_heads");
  }
  SUBCASE("groups count only where grouping is on") {
    CHECK(
        only_kind(base + R"(, "multi_query_attention": true, "multi_query_group_num": 2})").heads ==
        2);
    CHECK(only_kind(base + R"(, "multi_query_attention": false, "multi_query_group_num": 2})")
              .heads == 8);
    CHECK(refusal_of(base + R"(, "multi_query_attention": true})") ==
          "missing multi_query_group_num");
  }
  SUBCASE("a number for each layer; a layer without heads has no cache") {
    const std::string layers = R"({"num_hidden_layers": 3, "head_dim": 4, "torch_dtype": "float16",
                                   "num_query_heads": [4, 8, 8], )";
    CHECK(kinds_of(layers + R"("num_kv_heads": [1, 2, 0]})") == "full full none");
    CHECK(read_or_fail(parse_config(layers + R"("num_kv_heads": [1, 2, 0]})")).layout[1].heads ==
          2);
    CHECK(kinds_of(layers + R"("num_key_value_heads_per_layer": [1, 1, 1]})") == "full full full");
    CHECK(refusal_of(layers + R"("num_kv_heads": [1, 2]})") == "contradiction num_kv_heads");
  }
}

TEST_CASE("config: windows that are switched off") {
  CHECK(kinds_of(four_layers(R"("sliding_window": null)")) == "full full full full");
  CHECK(kinds_of(four_layers(R"("sliding_window": 16, "use_sliding_window": false,
                                 "max_window_layers": 2)")) == "full full full full");
  CHECK(kinds_of(four_layers(R"("sliding_window": 16, "use_sliding_window": false,
                                 "sliding_window_pattern": 2)")) == "full full full full");
  CHECK(kinds_of(four_layers(R"("sliding_window": 64, "max_position_embeddings": 64)")) ==
        "full full full full");
  CHECK(assumptions_of(four_layers(R"("sliding_window": 64, "max_position_embeddings": 64)")) ==
        "window_never_closes sliding_window=full_attention");
  const std::string shorter = R"("sliding_window": 63, "max_position_embeddings": 64)";
  // The layers with the window depend on the model's class. For an unknown class the reader assumes
  // full attention, the largest cache, and lists the window as doubtful.
  CHECK(kinds_of(four_layers(shorter + R"(, "model_type": "mistral")")) ==
        "window window window window");
  CHECK(kinds_of(four_layers(shorter)) == "full full full full");
  CHECK(doubts_of(four_layers(shorter)) == "sliding_window=63");
  CHECK(doubts_of(four_layers(R"("sliding_window": -1)")) == "");
  CHECK(refusal_of(four_layers(R"("use_sliding_window": true)")) == "missing sliding_window");
}

TEST_CASE("config: patterns of windowed and full layers, in every notation") {
  const std::string window = R"("sliding_window": 16, )";
  const auto kinds = [&](const std::string& more) { return kinds_of(four_layers(window + more)); };
  const auto refusal = [&](const std::string& more) {
    return refusal_of(four_layers(window + more));
  };
  CHECK(kinds(R"("layer_types": ["full_attention", "sliding_attention", "sliding_attention",
                                 "full_attention"])") == "full window window full");
  CHECK(kinds(R"("hybrid_layer_pattern": [0, 1, 1, 0])") == "full window window full");
  CHECK(kinds(R"("sliding_window_pattern": 2)") == "window full window full");
  CHECK(kinds(R"("sliding_window_pattern": "LLG")") == "window window full window");
  CHECK(kinds(R"("layer_switch": 2, "order_of_interleaved_layers": "local_attn_first")") ==
        "window full window full");
  CHECK(refusal(R"("layer_switch": 2, "order_of_interleaved_layers": "global_first")") ==
        "unknown_kind order_of_interleaved_layers");
  CHECK(kinds(R"("use_sliding_window": true, "max_window_layers": 3)") == "full full full window");
  CHECK(refusal(R"("max_window_layers": 3)") == "missing use_sliding_window");
  SUBCASE("a list of another length, an unknown word, two lists that differ") {
    CHECK(refusal(R"("hybrid_layer_pattern": [0, 1])") == "contradiction hybrid_layer_pattern");
    CHECK(refusal(R"("hybrid_layer_pattern": [0, 1, 2, 0])") == "range hybrid_layer_pattern");
    CHECK(refusal(R"("layer_types": ["full_attention", "x", "x", "x"])") ==
          "unknown_kind layer_types");
    CHECK(refusal(R"("sliding_window_pattern": 2, "hybrid_layer_pattern": [0, 1, 1, 0])") ==
          "contradiction sliding_window_pattern");
    CHECK(refusal(R"("sliding_window_pattern": "")") == "unknown_kind sliding_window_pattern");
    CHECK(refusal(R"("sliding_window_size": 17)") == "contradiction sliding_window_size");
  }
  SUBCASE("a window needs a size, and a mixed cache a pattern") {
    CHECK(refusal_of(four_layers(R"("hybrid_layer_pattern": [0, 1, 1, 0])")) ==
          "missing sliding_window");
    CHECK(refusal(R"("cache_implementation": "hybrid")") == "missing layer_types");
    CHECK(refusal(R"("cache_implementation": "quantized")") == "unknown_kind cache_implementation");
    // The letters mark attention layers, but not those with the window.
    CHECK(refusal(R"("hybrid_override_pattern": "*-*-")") == "missing layer_types");
  }
  SUBCASE("separate heads and widths of the windowed layers") {
    const ModelCache cache = read_or_fail(parse_config(
        four_layers(window + R"("hybrid_layer_pattern": [0, 1, 1, 0], "swa_num_key_value_heads": 2,
                    "swa_head_dim": 6)")));
    CHECK(cache.layout[0].k_width == 8);
    CHECK(cache.layout[1].heads == 2);
    CHECK(cache.layout[1].k_width == 6);
    CHECK(cache.layout[1].v_width == 6);
  }
}

TEST_CASE("config: plain attention among other layers leaves the window open") {
  const std::string mamba = R"("mamba_d_state": 2, "mamba_d_conv": 4, "mamba_expand": 2,
      "hidden_size": 16, "layer_types": ["mamba", "attention", "mamba", "attention"])";
  CHECK(kinds_of(four_layers(mamba)) == "state full state full");
  CHECK(refusal_of(four_layers(mamba + R"(, "sliding_window": 16)")) == "missing layer_types");
  CHECK(kinds_of(four_layers(R"("attn_type_list": [1, 1, 1, 1])")) == "full full full full");
  CHECK(kinds_of(four_layers(R"("attn_type_list": [1, 0, 1, 1])")) == "full state full full");
}

TEST_CASE("config: latent attention may be switched off") {
  const std::string sizes = R"("kv_lora_rank": 32, "qk_rope_head_dim": 4, "v_head_dim": 6)";
  CHECK(only_kind(four_layers(sizes)).k_width == 36);
  CHECK(only_kind(four_layers(sizes + R"(, "use_mla": true)")).k_width == 36);
  CHECK(only_kind(four_layers(sizes + R"(, "use_mla": false)")).k_width == 8);
  CHECK(only_kind(four_layers(sizes + R"(, "use_mla": false)")).v_width == 8);
  CHECK(refusal_of(four_layers(R"("use_mla": true)")) == "missing kv_lora_rank");
  CHECK(refusal_of(four_layers(R"("kv_lora_rank": 32)")) == "missing qk_rope_head_dim");
}

TEST_CASE("config: chunks") {
  const auto kinds = [&](const std::string& more) {
    return kinds_of(four_layers(R"("attention_chunk_size": 16)" + more));
  };
  CHECK(kinds(R"(, "no_rope_layers": [1, 0, 1, 1])") == "chunk full chunk chunk");
  CHECK(kinds(R"(, "no_rope_layer_interval": 2)") == "chunk full chunk full");
  // Without a list, every fourth layer of Llama 4 is full; for other models nothing is assumed.
  const std::string none = R"(, "no_rope_layers": [])";
  CHECK(kinds(none + R"(, "model_type": "llama4_text")") == "chunk chunk chunk full");
  CHECK(kinds(none) == "full full full full");
  CHECK(doubts_of(four_layers(R"("attention_chunk_size": 16)")) == "attention_chunk_size=16");
  CHECK(kinds(R"(, "layer_types": ["chunked_attention", "full_attention", "chunked_attention",
                                   "full_attention"])") == "chunk full chunk full");
  // Without a chunk size the layers without rotation are full like the others.
  CHECK(kinds_of(four_layers(R"("no_rope_layers": [1, 0, 1, 1])")) == "full full full full");
  CHECK(refusal_of(four_layers(R"("attention_chunk_size": 16, "sliding_window": 8)")) ==
        "contradiction attention_chunk_size");
  // A list with both kinds distinguishes them; one with windows only leaves the chunk open.
  const std::string both = R"("attention_chunk_size": 16, "sliding_window": 8, "layer_types": )";
  CHECK(kinds_of(four_layers(both + R"(["chunked_attention", "sliding_attention",
                                        "full_attention", "full_attention"])")) ==
        "chunk window full full");
  CHECK(refusal_of(four_layers(both + R"(["full_attention", "sliding_attention",
                                          "full_attention", "full_attention"])")) ==
        "contradiction attention_chunk_size");
}

TEST_CASE("config: a count of layers must agree with their list") {
  const std::string linear = R"("linear_num_key_heads": 1, "linear_num_value_heads": 1,
      "linear_key_head_dim": 2, "linear_value_head_dim": 2, "linear_conv_kernel_dim": 4)";
  CHECK(kinds_of(four_layers(R"("full_attention_interval": 2, )" + linear)) ==
        "state full state full");
  CHECK(refusal_of(four_layers(R"("full_attention_interval": 2, "num_full_attention_layers": 3, )" +
                               linear)) == "contradiction num_full_attention_layers");
  CHECK(refusal_of(four_layers(R"("num_full_attention_layers": 1, "num_linear_attention_layers": 2,
                                  "linear_attention_state_bytes_total": 8)")) ==
        "contradiction num_full_attention_layers");
  CHECK(refusal_of(four_layers(R"("num_full_attention_layers": 1)")) ==
        "missing num_linear_attention_layers");
  CHECK(refusal_of(four_layers(R"("num_full_attention_layers": 1, "num_linear_attention_layers": 3,
                                  "linear_attention_state_bytes_total": 8)")) ==
        "range linear_attention_state_bytes_total");
  // Fields of a state, but no layer with a state.
  CHECK(refusal_of(four_layers(linear)) == "unknown_kind linear_num_key_heads");
}

TEST_CASE("config: number format at any level, under either name, or missing") {
  const std::string body = R"("num_hidden_layers": 1, "num_attention_heads": 1,
                              "num_key_value_heads": 1, "head_dim": 8)";
  const auto bits = [&](const std::string& json) {
    return read_or_fail(parse_config(json)).format.bits;
  };
  CHECK(bits("{" + body + R"(, "dtype": "float32"})") == 32);
  CHECK(bits("{" + body + R"(, "torch_dtype": "torch.float16"})") == 16);
  CHECK(bits(R"({"torch_dtype": "float32", "text_config": {)" + body + "}}") == 32);
  // Engines use the outer statement.
  CHECK(bits(R"({"torch_dtype": "float32", "text_config": {)" + body + R"(, "dtype": "half"}})") ==
        32);
  CHECK(assumptions_of(R"({"torch_dtype": "float32", "text_config": {)" + body +
                       R"(, "dtype": "half"}})") == "outer_dtype torch_dtype=float32");
  CHECK(assumptions_of("{" + body + "}") == "dtype_bfloat16 torch_dtype=bfloat16");
  CHECK(assumptions_of("{" + body + R"(, "dtype": "float8_e4m3fn"})") ==
        "dtype_bfloat16 dtype=bfloat16");
  CHECK(refusal_of("{" + body + R"(, "dtype": "float23"})") == "unknown_kind dtype");
  CHECK(refusal_of("{" + body + R"(, "dtype": "half", "torch_dtype": "float32"})") ==
        "contradiction dtype");
  SUBCASE("only the format of the cache counts, not that of the weights") {
    const auto quantised = [&](const std::string& inside) {
      return "{" + body + R"(, "dtype": "half", "quantization_config": {)" + inside + "}}";
    };
    CHECK(bits(quantised(R"("bits": 4, "quant_method": "gptq")")) == 16);
    CHECK(bits(quantised(R"("kv_cache_scheme": null)")) == 16);
    CHECK(bits(quantised(R"("kv_cache_scheme": {"num_bits": 8, "type": "float"})")) == 8);
    CHECK(bits(quantised(R"("kv_cache_quant_algo": "FP8")")) == 8);
    CHECK(bits(quantised(R"("kv_cache_scheme": "FP8")")) == 8);
    CHECK(bits(quantised(R"("kv_cache_dtype": "fp8_e4m3")")) == 8);
    CHECK(bits(quantised(R"("kv_cache_dtype": "auto")")) == 16);
    const std::string nvfp4 = quantised(R"("kv_cache_quant_algo": "NVFP4")");
    CHECK(described(read_or_fail(parse_config(nvfp4)).format) == "4+8/16");
    CHECK(refusal_of(quantised(R"("kv_cache_scheme": {"num_bits": 4})")) ==
          "unknown_kind quantization_config.kv_cache_scheme.num_bits");
    CHECK(refusal_of(quantised(R"("kv_cache_quant_algo": "FP3")")) ==
          "unknown_kind quantization_config.kv_cache_quant_algo");
    CHECK(doubts_of(quantised(R"("cache_bits": 2)")) == "quantization_config.cache_bits=2");
  }
}

TEST_CASE("config: architectures with another kind of cache are refused") {
  CHECK(refusal_of(four_layers(R"("is_encoder_decoder": true)")) ==
        "unknown_kind is_encoder_decoder");
  CHECK(refusal_of(four_layers(R"("is_encoder_decoder": false)")) == "accepted");
  CHECK(refusal_of(four_layers(R"("compress_ratios": [4, 4, 4, 4])")) ==
        "unknown_kind compress_ratios");
  CHECK(refusal_of(four_layers(R"("block_configs": [{}, {}, {}, {}])")) ==
        "contradiction num_key_value_heads");
  CHECK(refusal_of(R"({"num_hidden_layers": 1, "num_attention_heads": 4, "head_dim": 2,
                       "block_configs": [{"attention": {"n_heads_in_group": 2,
                                                        "num_sink_tokens": 4}}]})") ==
        "unknown_kind block_configs[0].attention.num_sink_tokens");
}

TEST_CASE("config: numbers must be whole, in range and numbers") {
  const auto layers = [](const std::string& value) {
    return refusal_of(R"({"num_attention_heads": 1, "head_dim": 8, "num_hidden_layers": )" + value +
                      "}");
  };
  CHECK(layers("4") == "accepted");
  CHECK(layers("4.0") == "accepted");
  for (const std::string bad :
       {"0", "-1", "4.5", "1e300", "9007199254740993", "NaN", "Infinity", "-Infinity", "10001"}) {
    CHECK(layers(bad) == "range num_hidden_layers");
  }
  CHECK(layers("null") == "missing num_hidden_layers");
  for (const std::string bad : {"\"4\"", "true", "[4]", "{}"}) {
    CHECK(layers(bad) == "type num_hidden_layers");
  }
}

TEST_CASE("config: states of more than 2^53 - 1 bytes are refused, without overflow") {
  // 9·10¹⁵ heads · width 9·10¹⁵ exceeds even the range of 64 bits.
  CHECK(refusal_of(R"({"num_hidden_layers": 1, "num_attention_heads": 1, "num_key_value_heads": 1,
      "head_dim": 8, "hybrid_override_pattern": "M", "mamba_num_heads": 9000000000000000,
      "mamba_head_dim": 9000000000000000, "ssm_state_size": 2, "n_groups": 1,
      "conv_kernel": 4})") == "too_large mamba_num_heads * mamba_head_dim * ssm_state_size");
}

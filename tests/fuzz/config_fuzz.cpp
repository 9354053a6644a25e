// libFuzzer: random and mutated configs. Half of the mutations are of bytes, half of the JSON tree,
// so that most inputs get past the parser.
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <nlohmann/json.hpp>
#include <random>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "tests/fuzz/config_claims.h"

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t max_size);

namespace {

using Json = nlohmann::ordered_json;

// Keys that the reader uses: random bytes would hardly ever spell one.
constexpr std::array kKeys = {"num_hidden_layers",
                              "n_layer",
                              "num_layers",
                              "num_attention_heads",
                              "n_head",
                              "num_key_value_heads",
                              "n_head_kv",
                              "num_kv_heads",
                              "num_key_value_heads_per_layer",
                              "multi_query",
                              "new_decoder_architecture",
                              "multi_query_attention",
                              "multi_query_group_num",
                              "head_dim",
                              "attention_head_dim",
                              "kv_channels",
                              "v_head_dim",
                              "hidden_size",
                              "n_embd",
                              "kv_lora_rank",
                              "qk_rope_head_dim",
                              "qk_nope_head_dim",
                              "index_head_dim",
                              "index_n_heads",
                              "sliding_window",
                              "sliding_window_size",
                              "use_sliding_window",
                              "max_window_layers",
                              "sliding_window_pattern",
                              "attention_chunk_size",
                              "no_rope_layers",
                              "no_rope_layer_interval",
                              "layer_types",
                              "hybrid_layer_pattern",
                              "hybrid_override_pattern",
                              "full_attention_interval",
                              "attn_layer_period",
                              "attn_layer_offset",
                              "attn_layer_indices",
                              "full_attn_idxs",
                              "num_full_attention_layers",
                              "num_linear_attention_layers",
                              "cache_implementation",
                              "linear_attention_state_bytes_total",
                              "linear_num_key_heads",
                              "linear_num_value_heads",
                              "linear_key_head_dim",
                              "linear_value_head_dim",
                              "linear_conv_kernel_dim",
                              "mamba_ssm_dtype",
                              "mamba_num_heads",
                              "mamba_head_dim",
                              "ssm_state_size",
                              "n_groups",
                              "conv_kernel",
                              "mamba_d_state",
                              "mamba_d_conv",
                              "mamba_expand",
                              "conv_L_cache",
                              "conv_dim",
                              "swa_num_key_value_heads",
                              "swa_head_dim",
                              "swa_v_head_dim",
                              "global_head_dim",
                              "num_global_key_value_heads",
                              "attention_k_eq_v",
                              "num_kv_shared_layers",
                              "use_cla",
                              "cla_share_factor",
                              "block_configs",
                              "attention",
                              "n_heads_in_group",
                              "no_op",
                              "window_length",
                              "torch_dtype",
                              "dtype",
                              "quantization_config",
                              "kv_cache_scheme",
                              "num_bits",
                              "kv_cache_quant_algo",
                              "max_position_embeddings",
                              "text_config",
                              "llm_config",
                              "language_config",
                              "thinker_config",
                              "is_encoder_decoder",
                              "model_type",
                              "is_causal",
                              "use_bidirectional_attention",
                              "is_decoder",
                              "type_vocab_size",
                              "layers_block_type",
                              "block_types",
                              "attention_types",
                              "linear_attn_config",
                              "kda_layers",
                              "full_attn_layers",
                              "short_conv_kernel_size",
                              "num_heads",
                              "mamba_d_ssm",
                              "n_mamba_heads",
                              "mamba_ngroups",
                              "mamba_headdim",
                              "state_size",
                              "conv_dimension",
                              "lru_width",
                              "conv1d_width",
                              "layer_group_size",
                              "attn_type_list",
                              "cross_attention_layers",
                              "vision_config",
                              "image_size",
                              "patch_size",
                              "max_num_tiles",
                              "max_source_positions",
                              "decoder_layers",
                              "decoder_attention_heads",
                              "num_decoder_layers",
                              "d_kv",
                              "total_ut_steps",
                              "num_nextn_predict_layers",
                              "attn_config",
                              "kv_n_heads",
                              "llm_cfg",
                              "kv_cache_dtype",
                              "attention_flavour",
                              "mamba_flavour",
                              "compress_ratios"};

constexpr std::array kWords = {"full_attention",
                               "sliding_attention",
                               "chunked_attention",
                               "linear_attention",
                               "mamba",
                               "conv",
                               "bfloat16",
                               "float32",
                               "M-*E",
                               "LLG",
                               "hybrid",
                               "recurrent",
                               "attention",
                               "gemma2",
                               "gemma3_text",
                               "mistral",
                               "qwen2",
                               "llama",
                               "whisper",
                               "t5",
                               "zamba2",
                               "mamba",
                               "bert",
                               "NVFP4",
                               "FP8",
                               ""};

constexpr std::array kNumbers = {0.0,
                                 1.0,
                                 2.0,
                                 3.0,
                                 8.0,
                                 64.0,
                                 128.0,
                                 4096.0,
                                 -1.0,
                                 0.5,
                                 1e300,
                                 9007199254740991.0,
                                 9007199254740992.0};

using Random = std::minstd_rand;

std::size_t below(Random& random, std::size_t limit) { return random() % limit; }

Json random_value(Random& random) {
  switch (below(random, 7)) {
    case 0:
      return nullptr;
    case 1:
      return below(random, 2) == 0;
    case 2:
      return kWords[below(random, kWords.size())];
    case 3:
      return Json::array();
    case 4:
      return Json::object();
    default:
      return kNumbers[below(random, kNumbers.size())];
  }
}

void collect(Json& json, std::vector<Json*>& nodes) {
  nodes.push_back(&json);
  if (!json.is_structured()) return;
  for (Json& child : json) collect(child, nodes);
}

void mutate(Json& root, Random& random) {
  std::vector<Json*> nodes;
  collect(root, nodes);
  Json& node = *nodes[below(random, nodes.size())];
  const std::size_t choice = below(random, 6);
  if (node.is_object() && choice < 3) {
    if (choice == 0 && !node.empty()) {
      auto at = node.begin();
      std::advance(at, static_cast<std::ptrdiff_t>(below(random, node.size())));
      node.erase(at);
    } else {
      node[kKeys[below(random, kKeys.size())]] = random_value(random);
    }
  } else if (node.is_array() && choice < 3) {
    if (choice == 0 && !node.empty()) {
      node.erase(node.begin() + static_cast<std::ptrdiff_t>(below(random, node.size())));
    } else {
      node.push_back(node.empty() ? random_value(random) : node.front());
    }
  } else if (node.is_number_integer() && choice < 3) {
    node = node.get<std::int64_t>() % 100000 + static_cast<std::int64_t>(choice) - 1;
  } else {
    node = random_value(random);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    attn::check_claims(std::string_view(reinterpret_cast<const char*>(data), size));
  } catch (const std::exception& error) {
    std::fprintf(stderr, "claim broken: %s\n", error.what());
    std::abort();
  }
  return 0;
}

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size,
                                               std::size_t max_size, unsigned seed) {
  Random random(seed + 1);
  Json json;
  if (below(random, 2) == 0) {
    json = Json::parse(data, data + size, nullptr, false);
  } else {
    json = Json::value_t::discarded;
  }
  if (json.is_discarded()) return LLVMFuzzerMutate(data, size, max_size);
  for (std::size_t i = below(random, 4); i < 4; i++) mutate(json, random);
  const std::string text = json.dump(-1, ' ', false, Json::error_handler_t::replace);
  if (text.size() > max_size) return LLVMFuzzerMutate(data, size, max_size);
  std::memcpy(data, text.data(), text.size());
  return text.size();
}

#include "core/parameters.h"

#include <algorithm>
#include <optional>

#include "core/config_fields.h"
#include "core/config_levels.h"
#include "core/config_names.h"
#include "core/config_reader.h"
#include "core/reserved_bytes.h"

namespace attn {
namespace {

constexpr std::string_view kHiddenNames = "intermediate_size ffn_hidden_size n_inner hidden_dim";
constexpr std::string_view kExpertsNames = "num_experts num_local_experts n_routed_experts";
constexpr std::string_view kSharedNames = "n_shared_experts num_shared_experts";

/// Classes whose feed-forward part or attention is built in a way that is not counted here.
constexpr std::array<std::string_view, 15> kOthers = {
    "gptj",       "gpt_neox",    "gpt_neo", "opt",       "bloom",
    "mpt",        "falcon",      "codegen", "persimmon", "phi",
    "starcoder2", "gpt_bigcode", "chatglm", "dbrx",      "gemma3n_text"};
constexpr std::array<std::string_view, 13> kChecked = {
    "gpt2",  "llama",  "mistral",     "mixtral",     "qwen2",       "qwen3", "qwen3_moe",
    "gemma", "gemma2", "gemma3_text", "deepseek_v2", "deepseek_v3", "phi3"};

template <std::size_t N>
bool is_one(std::string_view name, const std::array<std::string_view, N>& of) {
  return std::find(of.begin(), of.end(), name) != of.end();
}

class AccountReader {
 public:
  AccountReader(const ConfigValue& root, const ModelCache& cache)
      : cache_(cache), levels_(find_levels(root, ignored_, assumed_)), fields_(levels_.back()) {}

  ParameterAccount read() {
    const auto type = fields_.word("model_type");
    if (type) class_ = type->value;
    if (is_one(class_, kOthers)) {
      refuse_config(Reason::uncounted, fields_.key("model_type"), Detail::quoted(class_));
    }
    account_.known = is_one(class_, kChecked);
    gpt2_ = class_ == "gpt2";
    gemma_ = class_.starts_with("gemma");
    four_norms_ = gemma_ && class_ != "gemma";
    width_ = fields_.needed(kModelWidthNames).value;
    layers_ = account_.layers = cache_.n_layers;
    heads_ = fields_.needed(kHeadsNames).value;
    const std::int64_t words = fields_.needed("vocab_size padded_vocab_size n_vocab").value;
    add(ParameterGroup::kTable, "embed_tokens", 0, words, width_);
    if (gpt2_) {
      const auto places = fields_.needed("n_positions max_position_embeddings n_ctx");
      add(ParameterGroup::kTable, "embed_positions", 0, places.value, width_);
    }
    read_norms("input_norm");
    read_attention();
    if (four_norms_) read_norms("after_attention_norm");
    read_norms("middle_norm");
    read_feed_forward();
    if (four_norms_) read_norms("after_feed_forward_norm");
    add(ParameterGroup::kNorm, "final_norm", 0, width_, gpt2_ ? 2 : 1);
    const auto tied = fields_.boolean("tie_word_embeddings");
    // The tables are shared unless a class or the file says otherwise.
    account_.tied = tied ? tied->value : gpt2_ || gemma_;
    if (!account_.tied) add(ParameterGroup::kHead, "lm_head", 0, width_, words);
    return std::move(account_);
  }

 private:
  void add(ParameterGroup group, std::string_view name, std::int64_t layers, std::int64_t rows,
           std::int64_t columns, std::int64_t each = 1) {
    if (layers == 0 && group != ParameterGroup::kTable && group != ParameterGroup::kHead &&
        name != "final_norm") {
      return;
    }
    ParameterTensor tensor{name, group, layers, each, rows, columns, 0};
    tensor.count = times(times(std::max<std::int64_t>(layers, 1), each), times(rows, columns));
    account_.total = plus(account_.total, tensor.count);
    if (account_.total > kLargestCount) {
      refuse_config(Reason::uncounted, fields_.key("hidden_size"), width_);
    }
    // Layers with another window may have the same shapes.
    for (ParameterTensor& same : account_.tensors) {
      if (same.name != name || same.each != each || same.rows != rows || same.columns != columns) {
        continue;
      }
      same.layers += layers;
      same.count += tensor.count;
      return;
    }
    account_.tensors.push_back(tensor);
  }

  /// A LayerNorm has a factor and a term for each dimension, an RMSNorm the factor alone.
  void read_norms(std::string_view name) {
    add(ParameterGroup::kNorm, name, layers_, width_, gpt2_ ? 2 : 1);
  }

  void read_attention() {
    for (const LayerKind& kind : cache_.layout) {
      switch (kind.kind) {
        case CacheKind::full:
        case CacheKind::window:
        case CacheKind::chunk:
          read_heads(kind);
          break;
        case CacheKind::latent:
          read_latent(kind.layers);
          break;
        case CacheKind::index:
          read_index(kind.layers);
          break;
        default:
          refuse_config(Reason::uncounted, fields_.key("layer_types"),
                        Detail::quoted(name(kind.kind)));
      }
    }
    // A sink is one logit for each head.
    if (class_ == "gpt_oss") add(ParameterGroup::kAttention, "sinks", layers_, heads_, 1);
  }

  void read_heads(const LayerKind& kind) {
    const auto group = ParameterGroup::kAttention;
    const std::int64_t queries = times(heads_, kind.k_width);
    const std::int64_t keys = times(kind.heads, kind.k_width);
    const std::int64_t values = times(kind.heads, kind.v_width);
    const std::int64_t outputs = times(heads_, kind.v_width);
    const auto stated = fields_.boolean("attention_bias");
    const bool qwen2 = class_.starts_with("qwen2");
    const bool bias = stated ? stated->value : gpt2_ || qwen2;
    // Qwen2 and what follows it give the output no term.
    const bool output_bias = bias && !qwen2 && class_ != "mimo" && class_ != "glm4_moe";
    const auto projection = [&](std::string_view weight, std::string_view term, std::int64_t in,
                                std::int64_t out, bool has_term) {
      add(group, weight, kind.layers, in, out);
      if (has_term) add(group, term, kind.layers, out, 1);
    };
    projection("q_proj", "q_bias", width_, queries, bias);
    projection("k_proj", "k_bias", width_, keys, bias);
    projection("v_proj", "v_bias", width_, values, bias);
    if (class_ == "olmo2" || class_ == "olmo3") {
      add(ParameterGroup::kNorm, "q_norm", kind.layers, queries, 1);
      add(ParameterGroup::kNorm, "k_norm", kind.layers, keys, 1);
    } else if (class_.starts_with("qwen3") || class_ == "gemma3_text" ||
               fields_.is_on("use_qk_norm")) {
      add(ParameterGroup::kNorm, "q_norm", kind.layers, kind.k_width, 1);
      add(ParameterGroup::kNorm, "k_norm", kind.layers, kind.k_width, 1);
    }
    projection("o_proj", "o_bias", outputs, width_, output_bias);
  }

  void read_latent(std::int64_t layers) {
    const auto group = ParameterGroup::kAttention;
    const std::int64_t rank = fields_.needed("kv_lora_rank").value;
    const std::int64_t rotary = fields_.needed("qk_rope_head_dim", 0).value;
    const std::int64_t plain = fields_.needed("qk_nope_head_dim").value;
    const std::int64_t value = fields_.needed("v_head_dim").value;
    const std::int64_t queries = times(heads_, plus(plain, rotary));
    if (const auto own = fields_.count("q_lora_rank")) {
      add(group, "q_down", layers, width_, own->value);
      add(ParameterGroup::kNorm, "q_norm", layers, own->value, 1);
      add(group, "q_up", layers, own->value, queries);
    } else {
      add(group, "q_proj", layers, width_, queries);
    }
    add(group, "kv_down", layers, width_, plus(rank, rotary));
    add(ParameterGroup::kNorm, "kv_norm", layers, rank, 1);
    add(group, "kv_up", layers, rank, times(heads_, plus(plain, value)));
    add(group, "o_proj", layers, times(heads_, value), width_);
  }

  /// The indexer of sparse attention, which chooses the tokens to read. Its key has a LayerNorm.
  /// Source: DeepSeek-V3.2's published inference code, class Indexer.
  void read_index(std::int64_t layers) {
    const auto group = ParameterGroup::kAttention;
    const std::int64_t heads = fields_.needed("index_n_heads").value;
    const std::int64_t head = fields_.needed("index_head_dim").value;
    add(group, "index_q", layers, fields_.needed("q_lora_rank").value, times(heads, head));
    add(group, "index_k", layers, width_, head);
    add(ParameterGroup::kNorm, "index_norm", layers, head, 2);
    add(group, "index_weights", layers, width_, heads);
  }

  void read_feed_forward() {
    if (gpt2_) {
      const auto stated = fields_.count(kHiddenNames);
      const std::int64_t hidden = stated ? stated->value : times(4, width_);
      const auto group = ParameterGroup::kFeedForward;
      add(group, "up_proj", layers_, width_, hidden);
      add(group, "up_bias", layers_, hidden, 1);
      add(group, "down_proj", layers_, hidden, width_);
      add(group, "down_bias", layers_, width_, 1);
      return;
    }
    const std::int64_t sparse = layers_with_experts();
    if (sparse < layers_) read_dense(layers_ - sparse);
    if (sparse > 0) read_experts(sparse);
  }

  void read_dense(std::int64_t layers) {
    const auto group = ParameterGroup::kFeedForward;
    const std::int64_t hidden = fields_.needed(kHiddenNames).value;
    const bool bias = fields_.is_on("mlp_bias");
    add(group, "gate_proj", layers, width_, hidden);
    add(group, "up_proj", layers, width_, hidden);
    add(group, "down_proj", layers, hidden, width_);
    if (!bias) return;
    add(group, "gate_bias", layers, hidden, 1);
    add(group, "up_bias", layers, hidden, 1);
    add(group, "down_bias", layers, width_, 1);
  }

  /// Experts stand in every layer but the first few, or in every n-th.
  std::int64_t layers_with_experts() {
    const auto experts = fields_.count(kExpertsNames, 0);
    if (!experts || experts->value == 0) return 0;
    if (const auto first = fields_.count("first_k_dense_replace", 0)) {
      return layers_ - std::min(first->value, layers_);
    }
    const auto step = fields_.count("decoder_sparse_step");
    const auto dense = fields_.counts("mlp_only_layers", 0);
    const std::int64_t without =
        dense ? static_cast<std::int64_t>(dense->value.size()) : std::int64_t{0};
    if (without > 0 && step && step->value > 1) {
      refuse_config(Reason::uncounted, dense->key, without);
    }
    return std::max<std::int64_t>(0, layers_ / (step ? step->value : 1) - without);
  }

  void read_experts(std::int64_t layers) {
    const auto group = ParameterGroup::kFeedForward;
    const std::int64_t experts = fields_.needed(kExpertsNames).value;
    const auto own = fields_.count("moe_intermediate_size");
    const std::int64_t hidden = own ? own->value : fields_.needed(kHiddenNames).value;
    const bool terms = class_ == "gpt_oss";
    add(group, "router", layers, width_, experts);
    if (terms) add(group, "router_bias", layers, experts, 1);
    add(group, "experts.gate_proj", layers, width_, hidden, experts);
    add(group, "experts.up_proj", layers, width_, hidden, experts);
    add(group, "experts.down_proj", layers, hidden, width_, experts);
    if (terms) {
      add(group, "experts.gate_bias", layers, hidden, 1, experts);
      add(group, "experts.up_bias", layers, hidden, 1, experts);
      add(group, "experts.down_bias", layers, width_, 1, experts);
    }
    read_shared_experts(layers, hidden);
  }

  void read_shared_experts(std::int64_t layers, std::int64_t hidden) {
    const auto group = ParameterGroup::kFeedForward;
    const auto stated = fields_.count("shared_expert_intermediate_size", 0);
    const auto count = fields_.count(kSharedNames, 0);
    const std::int64_t shared = stated ? stated->value : times(count ? count->value : 0, hidden);
    if (shared == 0) return;
    add(group, "shared.gate_proj", layers, width_, shared);
    add(group, "shared.up_proj", layers, width_, shared);
    add(group, "shared.down_proj", layers, shared, width_);
    // Qwen's classes weigh the shared expert by a gate of its own.
    if (stated) add(group, "shared.router", layers, width_, 1);
  }

  const ModelCache& cache_;
  std::vector<std::string> ignored_;
  std::vector<Assumption> assumed_;
  std::vector<ConfigFields> levels_;
  ConfigFields& fields_;
  std::string_view class_;
  bool gpt2_ = false;
  bool gemma_ = false;
  bool four_norms_ = false;
  std::int64_t width_ = 0;
  std::int64_t layers_ = 0;
  std::int64_t heads_ = 0;
  ParameterAccount account_;
};

}  // namespace

std::variant<ParameterAccount, Refusal> read_parameters(const ConfigValue& config) {
  const auto read = read_config(config);
  if (const auto* refusal = std::get_if<Refusal>(&read)) return *refusal;
  try {
    return AccountReader(config, std::get<ModelCache>(read)).read();
  } catch (const Refusal& refusal) {
    return refusal;
  }
}

}  // namespace attn

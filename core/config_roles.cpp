#include "core/config_roles.h"

#include <algorithm>
#include <array>
#include <optional>
#include <span>

namespace attn {
namespace {

struct Word {
  std::string_view word;
  LayerRole role;
};

constexpr std::array kWords = {
    Word{"full_attention", LayerRole::full},
    Word{"attention", LayerRole::full},
    Word{"global", LayerRole::full},
    Word{"sliding_attention", LayerRole::window},
    Word{"local", LayerRole::window},
    Word{"chunked_attention", LayerRole::chunk},
    Word{"linear_attention", LayerRole::linear},
    Word{"mamba", LayerRole::mamba},
    Word{"mamba2", LayerRole::mamba},
    Word{"conv", LayerRole::convolution},
    Word{"mlp", LayerRole::none},
    Word{"moe", LayerRole::none},
};

// Letters of hybrid_override_pattern.
constexpr std::array kLetters = {
    Word{"*", LayerRole::full},
    Word{"M", LayerRole::mamba},
    Word{"-", LayerRole::none},
    Word{"E", LayerRole::none},
};

// Letters of sliding_window_pattern.
constexpr std::array kWindowLetters = {
    Word{"L", LayerRole::window},
    Word{"G", LayerRole::full},
};

LayerRole role_of(std::span<const Word> words, std::string_view word, const KeyPath& key) {
  for (const Word& known : words) {
    if (known.word == word) return known.role;
  }
  refuse_config(RefusalCode::unknown_word, key,
                "names a kind of layer that the reader does not know: \"{}\"", word);
}

/// Whether a key can tell windowed layers from full ones, or only attention from other layers.
enum class Tells { windows, attention_only };

/// One key's account of the pattern.
struct Account {
  KeyPath key;
  Tells tells;
  std::vector<LayerRole> roles;
};

class RolesReader {
 public:
  RolesReader(ConfigFields& fields, std::int64_t n_layers, std::int64_t max_context,
              std::vector<Assumption>& assumed)
      : fields_(fields),
        n_layers_(static_cast<std::size_t>(n_layers)),
        max_context_(max_context),
        assumed_(assumed) {}

  LayerRoles read() {
    read_cache_implementation();
    read_window_sizes();
    read_lists();
    read_full_indices("attn_layer_indices", LayerRole::mamba);
    read_full_indices("full_attn_idxs", LayerRole::convolution);
    read_intervals();
    read_window_patterns();
    read_chunk_pattern();
    LayerRoles result = settle();
    // Where both are given and the list does not use both, they can only be one window.
    const bool both = result.has(LayerRole::window) && result.has(LayerRole::chunk);
    if (window_ && chunk_ && window_->value != chunk_->value && !both) {
      refuse_config(RefusalCode::conflict, chunk_->key,
                    "says something else than {}, and no list says which layers have which",
                    window_->key);
    }
    finish(result, LayerRole::window, window_, "sliding_window");
    finish(result, LayerRole::chunk, chunk_, "attention_chunk_size");
    return result;
  }

 private:
  void read_cache_implementation() {
    const auto kind = fields_.word("cache_implementation");
    if (!kind) return;
    mixed_cache_ = kind->value == "hybrid";
    if (!mixed_cache_ && kind->value != "static" && kind->value != "dynamic") {
      refuse_config(RefusalCode::unknown_word, kind->key,
                    "names a kind of cache that the reader does not know");
    }
  }

  void read_window_sizes() {
    use_window_ = fields_.boolean("use_sliding_window");
    window_ = fields_.count("sliding_window sliding_window_size attention_window_size window_size");
    chunk_ = fields_.count("attention_chunk_size");
    if (use_window_ && use_window_->value && !window_) {
      refuse_config(RefusalCode::missing, fields_.key("sliding_window"),
                    "{} is true, but the file does not state the window", use_window_->key);
    }
    if (use_window_ && !use_window_->value) window_.reset();
  }

  // --- accounts of the pattern ---

  /// Opens an account in which every layer has `role`, for the caller to change.
  std::vector<LayerRole>& account(const KeyPath& key, Tells tells, LayerRole role) {
    accounts_.push_back({key, tells, std::vector<LayerRole>(n_layers_, role)});
    return accounts_.back().roles;
  }

  /// `other` in all layers but the last of each group of `interval`, which are full.
  void every_full(const Count& interval, Tells tells, LayerRole other) {
    auto& roles = account(interval.key, tells, other);
    const auto group = static_cast<std::uint64_t>(interval.value);
    for (std::size_t i = 0; i < n_layers_; i++) {
      if ((i + 1) % group == 0) roles[i] = LayerRole::full;
    }
  }

  /// A flag for each layer: `set` where it is 1, full where it is 0.
  void flagged(const Field<std::vector<std::int64_t>>& flags, LayerRole set) {
    require_length(flags.key, flags.value.size(), n_layers_);
    auto& roles = account(flags.key, Tells::windows, LayerRole::full);
    for (std::size_t i = 0; i < n_layers_; i++) {
      if (flags.value[i] == 1) roles[i] = set;
    }
  }

  /// A letter for each layer, over again where the letters end.
  void lettered(std::span<const Word> letters, std::string_view text, const KeyPath& key,
                Tells tells) {
    auto& roles = account(key, tells, LayerRole::none);
    for (std::size_t i = 0; i < n_layers_; i++) {
      roles[i] = role_of(letters, text.substr(i % text.size(), 1), key);
    }
  }

  void read_lists() {
    if (const auto words = fields_.words("layer_types layers_block_type")) {
      require_length(words->key, words->value.size(), n_layers_);
      // Plain "attention" does not say whether the layer has the window, if there is one.
      const bool plain = std::count(words->value.begin(), words->value.end(), "attention") > 0;
      auto& roles =
          account(words->key, plain ? Tells::attention_only : Tells::windows, LayerRole::none);
      for (std::size_t i = 0; i < n_layers_; i++) {
        roles[i] = role_of(kWords, words->value[i], words->key);
      }
    }
    if (const auto flags = fields_.counts("hybrid_layer_pattern", 0, 1)) {
      flagged(*flags, LayerRole::window);
    }
    if (const auto softmax = fields_.counts("attn_type_list", 0, 1)) {
      require_length(softmax->key, softmax->value.size(), n_layers_);
      if (std::count(softmax->value.begin(), softmax->value.end(), 0) > 0) {
        refuse_config(RefusalCode::not_modelled, softmax->key,
                      "names layers of linear attention whose state the file does not size");
      }
      account(softmax->key, Tells::attention_only, LayerRole::full);
    }
    if (const auto letters = fields_.word("hybrid_override_pattern")) {
      require_length(letters->key, letters->value.size(), n_layers_);
      lettered(kLetters, letters->value, letters->key, Tells::attention_only);
    }
  }

  void read_full_indices(std::string_view name, LayerRole other) {
    const auto last = static_cast<std::int64_t>(n_layers_) - 1;
    const auto indices = fields_.counts(name, 0, last);
    if (!indices) return;
    auto& roles = account(indices->key, Tells::attention_only, other);
    for (const std::int64_t index : indices->value) {
      roles[static_cast<std::size_t>(index)] = LayerRole::full;
    }
  }

  void read_intervals() {
    if (const auto interval = fields_.count("full_attention_interval")) {
      every_full(*interval, Tells::attention_only, LayerRole::linear);
    }
    const auto offset = fields_.count("attn_layer_offset", 0);
    const auto period = fields_.count("attn_layer_period");
    if (offset.has_value() != period.has_value()) {
      refuse_config(RefusalCode::missing,
                    fields_.key(offset ? "attn_layer_period" : "attn_layer_offset"),
                    "{} needs it, and the file does not state it", (offset ? offset : period)->key);
    }
    if (!period) return;
    auto& roles = account(period->key, Tells::attention_only, LayerRole::mamba);
    for (std::size_t i = 0; i < n_layers_; i++) {
      const auto layer = static_cast<std::int64_t>(i);
      if (layer % period->value == offset->value) roles[i] = LayerRole::full;
    }
  }

  void read_window_patterns() {
    const auto pattern =
        fields_.value("sliding_window_pattern _sliding_window_pattern layer_switch");
    const auto order = fields_.word("order_of_interleaved_layers");
    if (order && order->value != "local_attn_first") {
      refuse_config(RefusalCode::unknown_word, order->key,
                    "names an order of layers that the reader does not know: \"{}\"", order->value);
    }
    const auto first = fields_.count("max_window_layers", 0);
    if (use_window_ && !use_window_->value) return;
    if (pattern && pattern->value->is(ConfigValue::Type::string)) {
      if (pattern->value->as_string().empty()) {
        refuse_config(RefusalCode::unknown_word, pattern->key, "is an empty pattern");
      }
      lettered(kWindowLetters, pattern->value->as_string(), pattern->key, Tells::windows);
    } else if (pattern) {
      every_full({count_from(*pattern->value, pattern->key), pattern->key}, Tells::windows,
                 LayerRole::window);
    }
    if (!first || !window_) return;
    if (!use_window_) {
      refuse_config(RefusalCode::missing, fields_.key("use_sliding_window"),
                    "{} and a window are given, but not whether it is used", first->key);
    }
    auto& roles = account(first->key, Tells::windows, LayerRole::full);
    for (std::size_t i = 0; i < n_layers_; i++) {
      if (static_cast<std::int64_t>(i) >= first->value) roles[i] = LayerRole::window;
    }
  }

  void read_chunk_pattern() {
    const auto rotated = fields_.counts("no_rope_layers", 0, 1);
    const auto interval = fields_.count("no_rope_layer_interval");
    if (!chunk_) return;
    if (rotated && !rotated->value.empty()) {
      flagged(*rotated, LayerRole::chunk);
    } else if (interval) {
      every_full(*interval, Tells::windows, LayerRole::chunk);
    }
  }

  // --- one pattern ---

  LayerRoles settle() {
    const auto full = fields_.count("num_full_attention_layers", 0);
    const auto linear = fields_.count("num_linear_attention_layers", 0);
    LayerRoles result;
    if (!accounts_.empty()) {
      for (const Account& other : accounts_) {
        if (other.roles != accounts_.front().roles) {
          refuse_config(RefusalCode::conflict, other.key, "describes other layers than {}",
                        accounts_.front().key);
        }
      }
      result.of_layer = accounts_.front().roles;
      result.key = accounts_.front().key;
      require_count(full, result, LayerRole::full);
      require_count(linear, result, LayerRole::linear);
      require_told_windows(result.key);
    } else if (full || linear) {
      settle_counts(full, linear, result);
      require_told_windows(result.key);
    } else {
      result.of_layer.assign(n_layers_, LayerRole::full);
      if (window_) {
        settle_window(result);
      } else if (chunk_) {
        settle_chunk(result);
      }
    }
    if (window_) result.window = *window_;
    if (chunk_) result.chunk = *chunk_;
    return result;
  }

  void require_count(const std::optional<Count>& stated, const LayerRoles& roles,
                     LayerRole role) const {
    const auto counted = std::count(roles.of_layer.begin(), roles.of_layer.end(), role);
    if (stated && stated->value != counted) {
      refuse_config(RefusalCode::conflict, stated->key, "counts other layers than {} lists",
                    roles.key);
    }
  }

  void require_told_windows(const KeyPath& key) const {
    const bool told = std::any_of(accounts_.begin(), accounts_.end(), [](const Account& account) {
      return account.tells == Tells::windows;
    });
    if ((window_ || chunk_) && !told) {
      refuse_config(RefusalCode::missing, fields_.key("layer_types"),
                    "a window is stated, and {} does not say which layers have it", key);
    }
  }

  void settle_counts(const std::optional<Count>& full, const std::optional<Count>& linear,
                     LayerRoles& result) const {
    if (!full || !linear) {
      const char* absent = full ? "num_linear_attention_layers" : "num_full_attention_layers";
      refuse_config(RefusalCode::missing, fields_.key(absent),
                    "layers of two kinds are counted, and the file states one count only");
    }
    // Both are at most 2⁵³ − 1, so that the sum stays in range.
    if (full->value + linear->value != static_cast<std::int64_t>(n_layers_)) {
      refuse_config(RefusalCode::conflict, full->key,
                    "and {} do not add up to the number of layers", linear->key);
    }
    result.of_layer.assign(static_cast<std::size_t>(full->value), LayerRole::full);
    result.of_layer.resize(n_layers_, LayerRole::linear);
    result.key = full->key;
    result.other_key = linear->key;
    result.ordered = false;
  }

  bool never_closes(const Count& size) const {
    return max_context_ > 0 && size.value >= max_context_;
  }

  void assume_never_closes(const Count& size) {
    assumed_.push_back({"window_never_closes", size.key.text(), "full_attention",
                        "the window is no shorter than the longest context the model is made for"});
  }

  void settle_window(LayerRoles& result) {
    if (never_closes(*window_)) return assume_never_closes(*window_);
    if (mixed_cache_) {
      refuse_config(RefusalCode::missing, fields_.key("layer_types"),
                    "cache_implementation is hybrid, so some layers have the window and some do "
                    "not, and the file does not say which");
    }
    result.of_layer.assign(n_layers_, LayerRole::window);
    result.key = window_->key;
    assumed_.push_back({"every_layer_windowed", fields_.key("layer_types").text(),
                        "sliding_attention",
                        "the file states a window and nothing that limits it to some layers; read "
                        "as a window in every layer"});
  }

  void settle_chunk(LayerRoles& result) {
    if (never_closes(*chunk_)) return assume_never_closes(*chunk_);
    constexpr std::int64_t kInterval = 4;
    every_full({kInterval, chunk_->key}, Tells::windows, LayerRole::chunk);
    result.of_layer = accounts_.back().roles;
    result.key = chunk_->key;
    assumed_.push_back({"every_fourth_full", fields_.key("no_rope_layer_interval").text(),
                        std::to_string(kInterval),
                        "the file states a chunk but not which layers have it; read as every "
                        "fourth layer attending to everything"});
  }

  /// Layers of `role` need its size; where that is never reached they are full.
  void finish(LayerRoles& roles, LayerRole role, const std::optional<Count>& size,
              std::string_view name) {
    if (!roles.has(role)) return;
    if (!size) {
      refuse_config(RefusalCode::missing, fields_.key(name),
                    "{} names layers that have it, but the file does not state it", roles.key);
    }
    if (!never_closes(*size)) return;
    std::replace(roles.of_layer.begin(), roles.of_layer.end(), role, LayerRole::full);
    assume_never_closes(*size);
  }

  ConfigFields& fields_;
  std::size_t n_layers_;
  std::int64_t max_context_;
  std::vector<Assumption>& assumed_;
  std::optional<Count> window_;  // none where it is switched off
  std::optional<Count> chunk_;
  std::optional<Field<bool>> use_window_;
  bool mixed_cache_ = false;
  std::vector<Account> accounts_;
};

}  // namespace

bool LayerRoles::has(LayerRole role) const {
  return std::find(of_layer.begin(), of_layer.end(), role) != of_layer.end();
}

LayerRoles read_layer_roles(ConfigFields& fields, std::int64_t n_layers, std::int64_t max_context,
                            std::vector<Assumption>& assumed) {
  return RolesReader(fields, n_layers, max_context, assumed).read();
}

}  // namespace attn

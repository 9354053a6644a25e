#include "core/config_roles.h"

#include <algorithm>
#include <array>
#include <optional>

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

template <std::size_t N>
LayerRole role_of(const std::array<Word, N>& words, std::string_view word,
                  const std::string& path) {
  for (const Word& known : words) {
    if (known.word == word) return known.role;
  }
  refuse_config(
      RefusalCode::unknown_word, path,
      "names a kind of layer that the reader does not know: \"" + std::string(word) + "\"");
}

/// Whether a key can tell windowed layers from full ones, or only attention from other layers.
enum class Tells { windows, attention_only };

/// One key's account of the pattern.
struct Account {
  std::string path;
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
    read_intervals();
    read_window_patterns();
    read_chunk_pattern();
    LayerRoles result = settle();
    require_sizes(result);
    open_what_never_closes(result);
    return result;
  }

 private:
  void read_cache_implementation() {
    const auto kind = fields_.word({"cache_implementation"});
    if (!kind) return;
    mixed_cache_ = kind->value == "hybrid";
    if (!mixed_cache_ && kind->value != "static" && kind->value != "dynamic") {
      refuse_config(RefusalCode::unknown_word, kind->path,
                    "names a kind of cache that the reader does not know");
    }
  }

  void read_window_sizes() {
    const auto use = fields_.boolean({"use_sliding_window"});
    window_ = fields_.count(
        {"sliding_window", "sliding_window_size", "attention_window_size", "window_size"});
    chunk_ = fields_.count({"attention_chunk_size"});
    if (use && use->value && !window_) {
      refuse_config(RefusalCode::missing, fields_.path_of("sliding_window"),
                    "use_sliding_window is true, but the file does not state the window");
    }
    window_switched_off_ = use && !use->value;
    window_switched_on_ = use && use->value;
    if (window_switched_off_) window_.reset();
    // Where both are given and no list of words tells them apart, they can only be one window.
    if (window_ && chunk_ && window_->value != chunk_->value &&
        fields_.object().find("layer_types") == nullptr) {
      refuse_config(RefusalCode::conflict, chunk_->path,
                    "says something else than " + window_->path +
                        ", and no list says which layers have which");
    }
  }

  template <typename RoleAt>
  void add(const std::string& path, Tells tells, RoleAt role_at) {
    Account account{path, tells, {}};
    for (std::size_t i = 0; i < n_layers_; i++) account.roles.push_back(role_at(i));
    accounts_.push_back(std::move(account));
  }

  void require_length(const std::string& path, std::size_t length) const {
    if (length != n_layers_) {
      refuse_config(RefusalCode::conflict, path,
                    "has " + std::to_string(length) + " entries for " + std::to_string(n_layers_) +
                        " layers");
    }
  }

  void read_lists() {
    if (const auto words = fields_.words({"layer_types", "layers_block_type"})) {
      require_length(words->path, words->value.size());
      add(words->path, Tells::windows,
          [&](std::size_t i) { return role_of(kWords, words->value[i], words->path); });
    }
    if (const auto flags = fields_.counts({"hybrid_layer_pattern"}, 0, 1)) {
      require_length(flags->path, flags->value.size());
      add(flags->path, Tells::windows, [&](std::size_t i) {
        return flags->value[i] == 1 ? LayerRole::window : LayerRole::full;
      });
    }
    if (const auto letters = fields_.word({"hybrid_override_pattern"})) {
      require_length(letters->path, letters->value.size());
      add(letters->path, Tells::attention_only, [&](std::size_t i) {
        return role_of(kLetters, std::string_view(letters->value).substr(i, 1), letters->path);
      });
    }
    read_full_indices({"attn_layer_indices"}, LayerRole::mamba);
    read_full_indices({"full_attn_idxs"}, LayerRole::convolution);
  }

  void read_full_indices(ConfigFields::Names names, LayerRole other) {
    const auto last = static_cast<std::int64_t>(n_layers_) - 1;
    if (const auto indices = fields_.counts(names, 0, last)) {
      add(indices->path, Tells::attention_only, [&](std::size_t i) {
        const auto found =
            std::find(indices->value.begin(), indices->value.end(), static_cast<std::int64_t>(i));
        return found != indices->value.end() ? LayerRole::full : other;
      });
    }
  }

  void read_intervals() {
    if (const auto interval = fields_.count({"full_attention_interval"})) {
      add(interval->path, Tells::attention_only, [&](std::size_t i) {
        return every(interval->value, i) ? LayerRole::full : LayerRole::linear;
      });
    }
    const auto offset = fields_.count({"attn_layer_offset"}, 0);
    if (const auto period = fields_.count({"attn_layer_period"})) {
      if (!offset) {
        refuse_config(RefusalCode::missing, fields_.path_of("attn_layer_offset"),
                      "attn_layer_period needs it, and the file does not state it");
      }
      add(period->path, Tells::attention_only, [&](std::size_t i) {
        const auto layer = static_cast<std::int64_t>(i);
        return layer % period->value == offset->value ? LayerRole::full : LayerRole::mamba;
      });
    } else if (offset) {
      refuse_config(RefusalCode::missing, fields_.path_of("attn_layer_period"),
                    "attn_layer_offset needs it, and the file does not state it");
    }
  }

  /// Is this the last layer of a group of `interval`?
  static bool every(std::int64_t interval, std::size_t layer) {
    return (static_cast<std::int64_t>(layer) + 1) % interval == 0;
  }

  void read_window_patterns() {
    const auto pattern = fields_.value({"sliding_window_pattern", "_sliding_window_pattern"});
    const auto first = fields_.count({"max_window_layers"}, 0);
    if (window_switched_off_) return;
    if (pattern && pattern->value->is(ConfigValue::Type::string)) {
      const std::string& letters = pattern->value->as_string();
      if (letters.empty()) {
        refuse_config(RefusalCode::unknown_word, pattern->path, "is an empty pattern");
      }
      add(pattern->path, Tells::windows, [&](std::size_t i) {
        return role_of(kWindowLetters, std::string_view(letters).substr(i % letters.size(), 1),
                       pattern->path);
      });
    } else if (pattern) {
      const std::int64_t interval = count_from(*pattern->value, pattern->path, 1);
      add(pattern->path, Tells::windows,
          [&](std::size_t i) { return every(interval, i) ? LayerRole::full : LayerRole::window; });
    }
    if (first && window_) {
      if (!window_switched_on_) {
        refuse_config(RefusalCode::missing, fields_.path_of("use_sliding_window"),
                      "max_window_layers and a window are given, but not whether it is used");
      }
      add(first->path, Tells::windows, [&](std::size_t i) {
        return static_cast<std::int64_t>(i) >= first->value ? LayerRole::window : LayerRole::full;
      });
    }
  }

  void read_chunk_pattern() {
    const auto rotated = fields_.counts({"no_rope_layers"}, 0, 1);
    const auto interval = fields_.count({"no_rope_layer_interval"});
    if (!chunk_) return;
    if (rotated && !rotated->value.empty()) {
      require_length(rotated->path, rotated->value.size());
      add(rotated->path, Tells::windows, [&](std::size_t i) {
        return rotated->value[i] == 1 ? LayerRole::chunk : LayerRole::full;
      });
    } else if (interval) {
      add(interval->path, Tells::windows, [&](std::size_t i) {
        return every(interval->value, i) ? LayerRole::full : LayerRole::chunk;
      });
    }
  }

  LayerRoles settle() {
    const auto full = fields_.count({"num_full_attention_layers"}, 0);
    const auto linear = fields_.count({"num_linear_attention_layers"}, 0);
    LayerRoles result;
    if (!accounts_.empty()) {
      for (const Account& other : accounts_) {
        if (other.roles != accounts_.front().roles) {
          refuse_config(RefusalCode::conflict, other.path,
                        "describes other layers than " + accounts_.front().path);
        }
      }
      result.of_layer = accounts_.front().roles;
      result.path = accounts_.front().path;
      require_count(full, result, LayerRole::full);
      require_count(linear, result, LayerRole::linear);
      require_told_windows(result.path);
    } else if (full || linear) {
      settle_counts(full, linear, result);
      require_told_windows(result.path);
    } else if (window_) {
      settle_window(*window_, result);
    } else if (chunk_) {
      settle_chunk(*chunk_, result);
    } else {
      result.of_layer.assign(n_layers_, LayerRole::full);
    }
    if (window_) result.window = *window_;
    if (chunk_) result.chunk = *chunk_;
    return result;
  }

  void require_told_windows(const std::string& path) const {
    const bool told = std::any_of(accounts_.begin(), accounts_.end(), [](const Account& account) {
      return account.tells == Tells::windows;
    });
    if ((window_ || chunk_) && !told) {
      refuse_config(RefusalCode::missing, fields_.path_of("layer_types"),
                    (window_ ? window_ : chunk_)->path + " states a window, and " + path +
                        " does not say which layers have it");
    }
  }

  void require_count(const std::optional<Field<std::int64_t>>& stated, const LayerRoles& roles,
                     LayerRole role) const {
    const auto counted = std::count(roles.of_layer.begin(), roles.of_layer.end(), role);
    if (stated && stated->value != counted) {
      refuse_config(RefusalCode::conflict, stated->path,
                    "counts other layers than " + roles.path + " lists");
    }
  }

  void settle_counts(const std::optional<Field<std::int64_t>>& full,
                     const std::optional<Field<std::int64_t>>& linear, LayerRoles& result) const {
    const char* absent = full ? "num_linear_attention_layers" : "num_full_attention_layers";
    if (!full || !linear) {
      refuse_config(RefusalCode::missing, fields_.path_of(absent),
                    "layers of two kinds are counted, and the file states one count only");
    }
    // Both are at most 2⁵³ − 1, so that the sum stays in range.
    if (full->value + linear->value != static_cast<std::int64_t>(n_layers_)) {
      refuse_config(RefusalCode::conflict, full->path,
                    "and " + linear->path + " do not add up to the number of layers");
    }
    result.of_layer.assign(static_cast<std::size_t>(full->value), LayerRole::full);
    result.of_layer.resize(n_layers_, LayerRole::linear);
    result.path = full->path;
    result.other_path = linear->path;
    result.ordered = false;
  }

  bool never_closes(const Field<std::int64_t>& size) const {
    return max_context_ > 0 && size.value >= max_context_;
  }

  void assume_never_closes(const Field<std::int64_t>& size) {
    assumed_.push_back({"window_never_closes", size.path, "full_attention",
                        "the window is no shorter than the longest context the model is made for"});
  }

  void settle_window(const Field<std::int64_t>& window, LayerRoles& result) {
    if (never_closes(window)) {
      result.of_layer.assign(n_layers_, LayerRole::full);
      assume_never_closes(window);
      return;
    }
    if (mixed_cache_) {
      refuse_config(RefusalCode::missing, fields_.path_of("layer_types"),
                    "cache_implementation is hybrid, so some layers have the window and some do "
                    "not, and the file does not say which");
    }
    result.of_layer.assign(n_layers_, LayerRole::window);
    result.path = window.path;
    assumed_.push_back({"every_layer_windowed", fields_.path_of("layer_types"), "sliding_attention",
                        "the file states a window and nothing that limits it to some layers; read "
                        "as a window in every layer"});
  }

  void settle_chunk(const Field<std::int64_t>& chunk, LayerRoles& result) {
    if (never_closes(chunk)) {
      result.of_layer.assign(n_layers_, LayerRole::full);
      assume_never_closes(chunk);
      return;
    }
    for (std::size_t i = 0; i < n_layers_; i++) {
      result.of_layer.push_back(every(4, i) ? LayerRole::full : LayerRole::chunk);
    }
    result.path = chunk.path;
    assumed_.push_back({"every_fourth_full", fields_.path_of("no_rope_layer_interval"), "4",
                        "the file states a chunk but not which layers have it; read as every "
                        "fourth layer attending to everything"});
  }

  void require_sizes(const LayerRoles& roles) const {
    if (roles.has(LayerRole::window) && !window_) {
      refuse_config(RefusalCode::missing, fields_.path_of("sliding_window"),
                    roles.path + " names windowed layers, but the file does not state a window");
    }
    if (roles.has(LayerRole::chunk) && !chunk_) {
      refuse_config(RefusalCode::missing, fields_.path_of("attention_chunk_size"),
                    roles.path + " names chunked layers, but the file does not state a chunk");
    }
  }

  void open_what_never_closes(LayerRoles& roles) {
    open(roles, LayerRole::window, window_);
    open(roles, LayerRole::chunk, chunk_);
  }

  void open(LayerRoles& roles, LayerRole role, const std::optional<Field<std::int64_t>>& size) {
    if (!roles.has(role) || !never_closes(*size)) return;
    std::replace(roles.of_layer.begin(), roles.of_layer.end(), role, LayerRole::full);
    assume_never_closes(*size);
  }

  ConfigFields& fields_;
  std::size_t n_layers_;
  std::int64_t max_context_;
  std::vector<Assumption>& assumed_;
  std::optional<Field<std::int64_t>> window_;
  std::optional<Field<std::int64_t>> chunk_;
  bool window_switched_off_ = false;
  bool window_switched_on_ = false;
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

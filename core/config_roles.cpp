#include "core/config_roles.h"

#include <algorithm>
#include <string>
#include <utility>

#include "core/config_defaults.h"
#include "core/config_names.h"
#include "core/config_patterns.h"

namespace attn {
namespace {

class RolesReader {
 public:
  RolesReader(ConfigFields& fields, std::int64_t n_layers, std::int64_t max_context,
              std::vector<Assumption>& assumed)
      : fields_(fields),
        n_layers_(static_cast<std::size_t>(n_layers)),
        max_context_(max_context),
        assumed_(assumed),
        patterns_(fields, n_layers_, sizes_) {}

  LayerRoles read() {
    read_cache_implementation();
    read_window_sizes();
    accounts_ = patterns_.read();
    LayerRoles result = settle();
    result.doubled = patterns_.doubled();
    // If both are given and the list uses only one of them, they stand for the same window.
    const bool both = result.has(LayerRole::window) && result.has(LayerRole::chunk);
    const auto& window = sizes_.window;
    const auto& chunk = sizes_.chunk;
    if (window && chunk && window->value != chunk->value && !both) {
      refuse_config(Reason::window_or_chunk, chunk->key, chunk->value, window->key, window->value);
    }
    finish(result, LayerRole::window, window, "sliding_window");
    finish(result, LayerRole::chunk, chunk, "attention_chunk_size");
    return result;
  }

 private:
  void read_cache_implementation() {
    const auto kind = fields_.word("cache_implementation");
    if (!kind) return;
    mixed_cache_ = kind->value == "hybrid";
    if (!mixed_cache_ && kind->value != "static" && kind->value != "dynamic") {
      refuse_config(Reason::unknown_word, kind->key, Detail::quoted(kind->value), {},
                    "hybrid, static, dynamic");
    }
  }

  void read_window_sizes() {
    sizes_.use_window = fields_.boolean("use_sliding_window");
    const auto& use = sizes_.use_window;
    // A window that shall be left out is left out under all its names.
    if (!window_is_ignored()) sizes_.window = window_size();
    sizes_.chunk = fields_.count("attention_chunk_size");
    if (use && use->value && !sizes_.window && !window_is_ignored()) {
      refuse_needed(fields_.key("sliding_window"), use->key, "true");
    }
    if (use && !use->value) sizes_.window.reset();
  }

  /// The file states a window, and the caller ignores that key.
  bool window_is_ignored() const {
    for (const std::string_view name :
         {"sliding_window", "sliding_window_size", "attention_window_size", "window_size"}) {
      if (fields_.object().find(name) != nullptr && !fields_.has(name)) return true;
    }
    return false;
  }

  /// A window of −1 or 0 is none.
  std::optional<Count> window_size() {
    constexpr std::string_view kNames =
        "sliding_window sliding_window_size attention_window_size window_size";
    const auto found = fields_.value(kNames);
    const bool number = found && found->value->is(ConfigValue::Type::number);
    if (number && (found->value->as_number() == -1 || found->value->as_number() == 0)) {
      return std::nullopt;
    }
    return fields_.count(kNames);
  }

  LayerRoles settle() {
    const auto full = fields_.count("num_full_attention_layers", 0);
    const auto linear = fields_.count("num_linear_attention_layers", 0);
    LayerRoles result;
    if (!accounts_.empty()) {
      for (const PatternAccount& other : accounts_) {
        if (other.roles != accounts_.front().roles) {
          refuse_config(Reason::other_layers, other.key, {}, accounts_.front().key);
        }
      }
      result.of_layer = accounts_.front().roles;
      result.key = accounts_.front().key;
      require_count(full, result, LayerRole::full);
      require_count(linear, result, LayerRole::linear);
      require_window_pattern();
    } else if (full || linear) {
      settle_counts(full, linear, result);
      require_window_pattern();
    } else {
      result.of_layer.assign(n_layers_, LayerRole::full);
      if (sizes_.window) {
        settle_window(result);
      } else if (sizes_.chunk) {
        settle_chunk(result);
      }
    }
    if (sizes_.window) result.window = *sizes_.window;
    if (sizes_.chunk) result.chunk = *sizes_.chunk;
    return result;
  }

  void require_count(const std::optional<Count>& stated, const LayerRoles& roles,
                     LayerRole role) const {
    const auto counted = std::count(roles.of_layer.begin(), roles.of_layer.end(), role);
    if (stated && stated->value != counted) {
      refuse_config(Reason::counts_disagree, stated->key, stated->value, roles.key, counted);
    }
  }

  void require_window_pattern() {
    const bool has_pattern =
        std::any_of(accounts_.begin(), accounts_.end(), [](const PatternAccount& account) {
          return account.distinguishes == Distinguishes::windows;
        });
    const auto& size = sizes_.window ? sizes_.window : sizes_.chunk;
    if (!size || has_pattern || never_closes(*size)) return;
    refuse_config(Reason::no_window_pattern, fields_.key("layer_types"), {}, size->key);
  }

  void settle_counts(const std::optional<Count>& full, const std::optional<Count>& linear,
                     LayerRoles& result) const {
    if (!full || !linear) {
      const char* absent = full ? "num_linear_attention_layers" : "num_full_attention_layers";
      const Count& cause = full ? *full : *linear;
      refuse_needed(fields_.key(absent), cause.key, cause.value);
    }
    // Both are at most 2⁵³ − 1, so that the sum stays in range.
    const std::int64_t sum = full->value + linear->value;
    if (sum != static_cast<std::int64_t>(n_layers_)) {
      refuse_config(Reason::counts_do_not_add_up, full->key, sum, linear->key, n_layers_);
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
    assumed_.push_back({"window_never_closes",
                        size.key.text(),
                        "full_attention",
                        "the window is no shorter than the longest context the model is made for",
                        {}});
  }

  void settle_window(LayerRoles& result) {
    if (never_closes(*sizes_.window)) return assume_never_closes(*sizes_.window);
    // A published class may window all but every n-th layer without a key for it.
    if (const auto group = fields_.count("sliding_window_pattern")) {
      PatternAccount account =
          patterns_.every_full(*group, Distinguishes::windows, LayerRole::window);
      result.of_layer = std::move(account.roles);
      result.key = group->key;
      return;
    }
    if (mixed_cache_) {
      refuse_config(Reason::no_window_pattern, fields_.key("layer_types"), {}, sizes_.window->key);
    }
    if (!windows_every_layer(fields_.class_name())) {
      // Full attention in every layer is the most that the model can keep.
      result.open_window = sizes_.window->key;
      return;
    }
    result.of_layer.assign(n_layers_, LayerRole::window);
    result.key = sizes_.window->key;
    assumed_.push_back({"every_layer_windowed",
                        fields_.key("layer_types").text(),
                        "sliding_attention",
                        "the file states a window, and models of this class have it in every layer",
                        {}});
  }

  void settle_chunk(LayerRoles& result) {
    if (never_closes(*sizes_.chunk)) return assume_never_closes(*sizes_.chunk);
    if (fields_.class_name() != "llama4_text") {
      result.open_window = sizes_.chunk->key;
      return;
    }
    constexpr std::int64_t kInterval = 4;
    result.of_layer =
        patterns_
            .every_full({kInterval, sizes_.chunk->key}, Distinguishes::windows, LayerRole::chunk)
            .roles;
    result.key = sizes_.chunk->key;
    assumed_.push_back({"every_fourth_full",
                        fields_.key("no_rope_layer_interval").text(),
                        std::to_string(kInterval),
                        "the file states a chunk but not which layers have it; read as every "
                        "fourth layer attending to everything",
                        {}});
  }

  /// Layers of `role` need its size; where that is never reached they are full.
  void finish(LayerRoles& roles, LayerRole role, const std::optional<Count>& size,
              std::string_view name) {
    if (!roles.has(role)) return;
    if (!size) refuse_config(Reason::not_stated, fields_.key(name));
    if (!never_closes(*size)) return;
    std::replace(roles.of_layer.begin(), roles.of_layer.end(), role, LayerRole::full);
    assume_never_closes(*size);
  }

  ConfigFields& fields_;
  std::size_t n_layers_;
  std::int64_t max_context_;
  std::vector<Assumption>& assumed_;
  WindowSizes sizes_;
  PatternReader patterns_;
  bool mixed_cache_ = false;
  std::vector<PatternAccount> accounts_;
};

/// The length of a list that names the kind of every layer.
std::optional<Count> layers_of_list(ConfigFields& fields) {
  for (const std::string_view name : {"layer_types", "layers_block_type"}) {
    const auto list = fields.stated(name);
    if (list && list->value->is(ConfigValue::Type::list) && !list->value->values().empty()) {
      return Count{static_cast<std::int64_t>(list->value->values().size()), list->key};
    }
  }
  return std::nullopt;
}

}  // namespace

bool LayerRoles::has(LayerRole role) const {
  return std::find(of_layer.begin(), of_layer.end(), role) != of_layer.end();
}

Count count_layers(ConfigFields& fields, std::int64_t most, std::vector<Assumption>& assumed) {
  const bool twice = attends_twice(fields.class_name());
  // Files that the class saved also state the number of attentions, which is the double.
  if (twice) fields.disregard("num_hidden_layers");
  const std::string_view names = twice ? "num_layers" : kLayersNames;
  const auto listed = layers_of_list(fields);
  const auto counted = fields.stated(names);
  Count layers = listed && !counted ? *listed : fields.needed(names, 1, most);
  if (layers.value > most) {
    refuse_config(Reason::not_in_range, layers.key, layers.value, {}, "1…" + std::to_string(most));
  }
  if (twice) {
    layers.value *= 2;
    assumed.push_back({"two_attentions",
                       layers.key.text(),
                       std::to_string(layers.value),
                       "each layer attends twice, and keeps a cache for each time",
                       {}});
  }
  return layers;
}

LayerRoles read_layer_roles(ConfigFields& fields, std::int64_t n_layers, std::int64_t max_context,
                            std::vector<Assumption>& assumed) {
  return RolesReader(fields, n_layers, max_context, assumed).read();
}

}  // namespace attn

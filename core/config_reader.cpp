#include "core/config_reader.h"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "core/config_attention.h"
#include "core/config_blocks.h"
#include "core/config_entries.h"
#include "core/config_fields.h"
#include "core/config_format.h"
#include "core/config_names.h"
#include "core/config_roles.h"
#include "core/config_states.h"
#include "core/config_unknown.h"
#include "core/config_variants.h"

namespace attn {
namespace {

// Far more than any published model has; the limit keeps a hostile file from filling the memory.
constexpr std::int64_t kMostLayers = 10000;

/// The file's levels from the top down to the language model.
std::vector<ConfigFields> find_levels(const ConfigValue& root) {
  if (!root.is(ConfigValue::Type::object)) {
    refuse_config(RefusalCode::not_an_object, {}, "a config is an object with named fields");
  }
  std::vector<ConfigFields> levels = {ConfigFields(root, "")};
  while (true) {
    std::optional<Field<const ConfigValue*>> inner;
    for (const std::string_view name : kLanguageModelNames) {
      const auto here = levels.back().value(name, ConfigValue::Type::object);
      if (!here) continue;
      if (inner) {
        refuse_config(RefusalCode::conflict, here->key,
                      "may hold the language model, and so may {}", inner->key);
      }
      inner = here;
    }
    if (!inner) return levels;
    // The path is written before the level is added, since adding moves the levels.
    std::string path = inner->key.text();
    levels.emplace_back(*inner->value, std::move(path));
  }
}

class Reader {
 public:
  explicit Reader(const ConfigValue& root)
      : levels_(find_levels(root)),
        fields_(levels_.back()),
        attention_(fields_, heads_, result_.assumed),
        unknown_(fields_, result_.ignored) {}

  ModelCache read() {
    for (const ConfigFields& level : levels_) refuse_what_is_not_modelled(level);
    read_sizes();
    format_ = read_cache_format(levels_, result_.assumed);
    roles_ = read_layer_roles(fields_, result_.n_layers, result_.max_context, result_.assumed);
    if (const auto blocks = fields_.value("block_configs", ConfigValue::Type::list)) {
      read_described_blocks(*blocks);
    } else {
      read_layers();
    }
    fields_.disregard(kModelWidthNames);  // in every file; few caches depend on it
    share_layers();
    for (const ConfigFields& level : levels_) unknown_.judge(level);
    assemble();
    result_.variants = cache_variants(result_.layout, facts_, format_);
    return std::move(result_);
  }

 private:
  void read_sizes() {
    layer_count_ = fields_.needed(kLayersNames, 1, kMostLayers);
    result_.n_layers = layer_count_.value;
    heads_ = fields_.count(kHeadsNames);
    if (heads_) result_.n_heads = heads_->value;
    for (const std::string_view name : kMaxContextNames) {
      const auto found = fields_.count(name);
      if (found && result_.max_context == 0) result_.max_context = found->value;
    }
  }

  // --- layers without a growing cache ---

  LayerEntries state_entries(const LayerState& state) {
    LayerEntries entries;
    if (state.stated_bytes > 0) {
      entries.push_back(state_entry(CacheKind::state, state.stated_bytes, state.key));
    } else if (state.values > 0) {
      const std::int64_t bytes = exact_product(state.key, state.values, state.bits / 8);
      entries.push_back(state_entry(CacheKind::state, bytes, state.key));
      const int other = state.bits == 32 ? format_.model_bits : 32;
      facts_.other_state_is_float32 = other == 32;
      if (state.other_format_likely && other != state.bits) {
        facts_.other_state_bytes = exact_product(state.key, state.values, other / 8);
      }
    }
    if (state.kernel.value > 1) {
      const KeyPath& key = state.kernel.key;
      const int bytes = format_.model_bits / 8;
      const std::int64_t tail = exact_product(key, state.channels, state.kernel.value - 1, bytes);
      entries.push_back(state_entry(CacheKind::convolution, tail, key));
      facts_.whole_kernel_bytes = exact_product(key, state.channels, state.kernel.value, bytes);
    }
    if (entries.empty()) entries.push_back(entry_without_cache(CacheKind::none));
    return entries;
  }

  // --- all layers ---

  /// What a layer of each role that occurs keeps.
  std::array<LayerEntries, kLayerRoles> entries_of_roles() {
    std::array<LayerEntries, kLayerRoles> all;
    const auto of = [&](LayerRole role) -> LayerEntries& {
      return all[static_cast<std::size_t>(role)];
    };
    AttentionEntries attention = attention_.read(roles_);
    of(LayerRole::full) = std::move(attention.full);
    of(LayerRole::window) = std::move(attention.window);
    of(LayerRole::chunk) = std::move(attention.chunk);
    heads_by_layer_ = std::move(attention.heads_by_layer);
    facts_.expanded = std::move(attention.expanded);
    facts_.keys_are_values = attention.keys_are_values;
    if (roles_.has(LayerRole::linear)) {
      const auto count =
          std::count(roles_.of_layer.begin(), roles_.of_layer.end(), LayerRole::linear);
      of(LayerRole::linear) = state_entries(read_linear_state(fields_, count, result_.assumed));
    }
    if (roles_.has(LayerRole::mamba)) {
      of(LayerRole::mamba) = state_entries(read_mamba_state(fields_, format_, result_.assumed));
    }
    if (roles_.has(LayerRole::convolution)) {
      of(LayerRole::convolution) = state_entries(read_convolution_state(fields_));
    }
    of(LayerRole::none) = {entry_without_cache(CacheKind::none)};
    return all;
  }

  void read_layers() {
    const auto of_role = entries_of_roles();
    for (std::size_t i = 0; i < roles_.of_layer.size(); i++) {
      layers_.push_back(of_role[static_cast<std::size_t>(roles_.of_layer[i])]);
      LayerEntry& first = layers_.back().front();
      if (heads_by_layer_ && first.kind.k_width > 0) give_heads(first, heads_by_layer_->value[i]);
    }
  }

  void give_heads(LayerEntry& entry, std::int64_t heads) const {
    entry.kind.heads = heads;
    entry.from.push_back({"heads", heads_by_layer_->key.text()});
    if (heads == 0) entry = entry_without_cache(CacheKind::none);
  }

  void read_described_blocks(const Field<const ConfigValue*>& blocks) {
    require_length(blocks.key, blocks.value->values().size(), roles_.of_layer.size());
    if (roles_.key) {
      refuse_config(RefusalCode::conflict, roles_.key, "describes the layers, and so does {}",
                    blocks.key);
    }
    if (const auto overall = fields_.value("num_key_value_heads")) {
      refuse_config(RefusalCode::conflict, overall->key,
                    "states key-value heads for all layers, and {} for each", blocks.key);
    }
    for (LayerEntry& entry : read_blocks(blocks, attention_, unknown_)) {
      layers_.push_back({std::move(entry)});
    }
  }

  // --- layers that read another's cache ---

  void share_layers() {
    const auto last = fields_.count("num_kv_shared_layers", 0, result_.n_layers - 1);
    const auto in_groups = fields_.boolean("use_cla");
    const auto group = fields_.count("cla_share_factor");
    if (last && last->value > 0 && !roles_.ordered) {
      refuse_config(RefusalCode::missing, fields_.key("layer_types"),
                    "{} speaks of the last layers, and the file does not order them", last->key);
    }
    if (!in_groups && group && group->value > 1) {
      refuse_config(RefusalCode::missing, fields_.key("use_cla"),
                    "{} is given, but not whether layers share", group->key);
    }
    if (in_groups && in_groups->value && !group) {
      refuse_config(RefusalCode::missing, fields_.key("cla_share_factor"),
                    "{} is true, and the file does not say how many layers share", in_groups->key);
    }
    const auto count = static_cast<std::int64_t>(layers_.size());
    for (std::int64_t i = 0; i < count; i++) {
      const bool at_the_end = last && i >= count - last->value;
      const bool behind_first = in_groups && in_groups->value && i % group->value != 0;
      if (!at_the_end && !behind_first) continue;
      LayerEntry entry = entry_without_cache(CacheKind::shared);
      entry.from.push_back({"layers", (at_the_end ? last : group)->key.text()});
      layers_[static_cast<std::size_t>(i)] = {entry};
    }
  }

  // --- layout ---

  void assemble() {
    for (const LayerEntries& entries : layers_) {
      const std::size_t first = place(entries.front());
      for (std::size_t i = 1; i < entries.size(); i++) place(entries[i]);
      if (roles_.ordered) result_.layer_kinds.push_back(first);
    }
    result_.dtype = format_.cache_bits != 0 ? "8-bit" : format_.model_dtype;
    result_.dtype_path = format_.cache_bits != 0 ? format_.cache_path : format_.path;
    result_.bits_per_value = format_.bits_of_cache();
  }

  /// Counts the layer under an equal entry of the layout, or adds an entry for it.
  std::size_t place(const LayerEntry& entry) {
    for (std::size_t i = 0; i < result_.layout.size(); i++) {
      LayerKind one = result_.layout[i];
      one.layers = 0;
      if (one != entry.kind) continue;
      result_.layout[i].layers++;
      return i;
    }
    const std::size_t index = result_.layout.size();
    result_.layout.push_back(entry.kind);
    result_.layout.back().layers = 1;
    bool layers_named = false;
    for (const Origin& origin : entry.from) {
      result_.sources.push_back({index, origin.field, origin.path});
      layers_named = layers_named || origin.field == "layers";
    }
    if (!layers_named) {
      result_.sources.push_back({index, "layers", layers_key(entry.kind.kind).text()});
    }
    return index;
  }

  /// The key that gives the number of layers of a kind.
  const KeyPath& layers_key(CacheKind kind) const {
    if (kind != CacheKind::full && roles_.other_key) return roles_.other_key;
    return roles_.key ? roles_.key : layer_count_.key;
  }

  std::vector<ConfigFields> levels_;
  ConfigFields& fields_;  // the language model's level
  ModelCache result_;
  std::optional<Count> heads_;  // query heads
  AttentionReader attention_;
  UnknownKeys unknown_;
  Count layer_count_;
  CacheFormat format_;
  LayerRoles roles_;
  std::vector<LayerEntries> layers_;  // what each layer keeps, from the input on
  std::optional<Field<std::vector<std::int64_t>>> heads_by_layer_;
  VariantFacts facts_;
};

}  // namespace

std::string_view name(RefusalCode code) {
  switch (code) {
    case RefusalCode::not_an_object:
      return "not_an_object";
    case RefusalCode::missing:
      return "missing";
    case RefusalCode::wrong_type:
      return "wrong_type";
    case RefusalCode::out_of_range:
      return "out_of_range";
    case RefusalCode::conflict:
      return "conflict";
    case RefusalCode::unknown_key:
      return "unknown_key";
    case RefusalCode::unknown_word:
      return "unknown_word";
    case RefusalCode::not_modelled:
      return "not_modelled";
  }
  return "";
}

std::variant<ModelCache, Refusal> read_config(const ConfigValue& config) {
  try {
    return Reader(config).read();
  } catch (Refusal& refusal) {
    return std::move(refusal);
  }
}

}  // namespace attn

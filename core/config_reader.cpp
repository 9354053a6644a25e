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
#include "core/config_levels.h"
#include "core/config_names.h"
#include "core/config_roles.h"
#include "core/config_states.h"
#include "core/config_unknown.h"
#include "core/config_variants.h"

namespace attn {
namespace {

// Far more than any published model has; the limit keeps a hostile file from filling the memory.
constexpr std::int64_t kMostLayers = 10000;

struct SourceLength {
  std::int64_t tokens = 0;  // 0: not known
  KeyPath key;
};

class Reader {
 public:
  Reader(const ConfigValue& root, const std::vector<std::string>& ignored)
      : ignored_(ignored),
        levels_(find_levels(root, ignored, result_.assumed)),
        fields_(levels_.back()),
        attention_(fields_, heads_, result_.assumed),
        unknown_(fields_, ignored, result_.doubts, result_.ignored) {}

  ModelCache read() {
    refuse_without_cache(levels_);
    for (const ConfigFields& level : levels_) refuse_what_is_not_modelled(level);
    read_sizes();
    format_ = read_cache_format(levels_, result_.assumed);
    roles_ = read_layer_roles(fields_, result_.n_layers, result_.max_context, result_.assumed);
    if (const auto blocks = fields_.value("block_configs", ConfigValue::Type::list)) {
      read_described_blocks(*blocks);
    } else {
      read_layers();
    }
    share_indexers();
    fields_.disregard(kModelWidthNames);  // in every file; few caches depend on it
    share_layers();
    read_cross_attention();
    read_passes();
    read_prediction_layers();
    for (const ConfigFields& level : levels_) unknown_.judge(level);
    if (roles_.open_window) doubt_open_window();
    assemble();
    result_.variants = cache_variants(result_.layout, facts_, format_);
    return std::move(result_);
  }

 private:
  void read_sizes() {
    encoder_decoder_ = fields_.is_on("is_encoder_decoder");
    if (encoder_decoder_) {
      read_decoder_sizes();
    } else {
      layer_count_ = count_layers(fields_, kMostLayers, result_.assumed);
      heads_ = fields_.count(kHeadsNames);
    }
    result_.n_layers = layer_count_.value;
    if (heads_) result_.n_heads = heads_->value;
    for (const std::string_view name : kMaxContextNames) {
      const auto found = fields_.count(name);
      if (found && result_.max_context == 0) result_.max_context = found->value;
    }
  }

  /// The decoder's own layers and heads; the encoder keeps nothing.
  void read_decoder_sizes() {
    auto layers = fields_.count("decoder_layers num_decoder_layers", 1, kMostLayers);
    // T5 gives the decoder as many layers as the encoder where it states one number.
    if (!layers && fields_.value("d_kv")) layers = fields_.count("num_layers", 1, kMostLayers);
    if (!layers) refuse_config(Reason::encoder_decoder, fields_.key("is_encoder_decoder"));
    fields_.disregard("num_layers num_hidden_layers num_attention_heads encoder_layers");
    layer_count_ = *layers;
    heads_ = fields_.count("decoder_attention_heads num_heads");
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

  /// The entries that a layer keeps, for each role that occurs.
  std::array<LayerEntries, kLayerRoles> entries_of_roles() {
    std::array<LayerEntries, kLayerRoles> all;
    const auto of = [&](LayerRole role) -> LayerEntries& {
      return all[static_cast<std::size_t>(role)];
    };
    AttentionEntries attention = attention_.read(roles_);
    of(LayerRole::full) = std::move(attention.full);
    of(LayerRole::window) = std::move(attention.window);
    of(LayerRole::chunk) = std::move(attention.chunk);
    of(LayerRole::cross) = std::move(attention.cross);
    heads_by_layer_ = std::move(attention.heads_by_layer);
    facts_.expanded = std::move(attention.expanded);
    facts_.keys_are_values = attention.keys_are_values;
    read_states(of);
    of(LayerRole::none) = {entry_without_cache(CacheKind::none)};
    return all;
  }

  template <typename Of>
  void read_states(Of of) {
    if (roles_.has(LayerRole::linear)) {
      const auto count =
          std::count(roles_.of_layer.begin(), roles_.of_layer.end(), LayerRole::linear);
      of(LayerRole::linear) = state_entries(read_linear_state(fields_, count, result_.assumed));
    }
    if (roles_.has(LayerRole::delta)) {
      const auto group = fields_.value("linear_attn_config", ConfigValue::Type::object);
      if (group) {
        ConfigFields inner = fields_.inner(*group);
        of(LayerRole::delta) = state_entries(read_delta_state(inner, "num_heads"));
      } else {
        of(LayerRole::delta) = state_entries(read_delta_state(fields_, "num_attention_heads"));
      }
    }
    if (roles_.has(LayerRole::lightning)) {
      of(LayerRole::lightning) = state_entries(read_lightning_state(
          fields_, attention_.needed_heads(), attention_.head_width(), format_, result_.assumed));
    }
    if (roles_.has(LayerRole::mamba) || roles_.has(LayerRole::parallel)) {
      of(LayerRole::mamba) = state_entries(read_mamba_state(fields_, format_, result_.assumed));
    }
    if (roles_.has(LayerRole::parallel)) {
      LayerEntries& both = of(LayerRole::parallel);
      both = of(LayerRole::full);
      for (const LayerEntry& entry : of(LayerRole::mamba)) both.push_back(entry);
    }
    if (roles_.has(LayerRole::recurrent)) {
      of(LayerRole::recurrent) = state_entries(read_recurrent_state(fields_));
    }
    if (roles_.has(LayerRole::convolution)) {
      of(LayerRole::convolution) = state_entries(read_convolution_state(fields_));
    }
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
      refuse_config(Reason::described_twice, roles_.key, {}, blocks.key);
    }
    if (const auto overall = fields_.stated("num_key_value_heads")) {
      refuse_config(Reason::described_twice, overall->key, {}, blocks.key);
    }
    for (LayerEntry& entry : read_blocks(blocks, attention_, unknown_, ignored_)) {
      layers_.push_back({std::move(entry)});
    }
  }

  // --- layers that read another's cache ---

  /// A layer with a shared indexer takes the choice of the one before and keeps no index keys.
  void share_indexers() {
    const auto types = fields_.words("indexer_types");
    if (types) require_length(types->key, types->value.size(), layers_.size());
    if (types) fields_.disregard("index_topk_freq index_skip_topk_offset index_topk_pattern");
    for (std::size_t i = 0; types && i < layers_.size(); i++) {
      const std::string_view word = types->value[i];
      if (word == "shared") {
        std::erase_if(layers_[i], [](const auto& e) { return e.kind.kind == CacheKind::index; });
      } else if (word != "full") {
        refuse_config(Reason::unknown_word, types->key, Detail::quoted(word), {}, "full, shared");
      }
    }
  }

  void share_layers() {
    const auto last = fields_.count("num_kv_shared_layers", 0, result_.n_layers - 1);
    const auto in_groups = fields_.boolean("use_cla");
    const auto group = fields_.count("cla_share_factor");
    if (last && last->value > 0 && !roles_.ordered) {
      refuse_needed(fields_.key("layer_types"), last->key, last->value);
    }
    if (!in_groups && group && group->value > 1) {
      refuse_needed(fields_.key("use_cla"), group->key, group->value);
    }
    if (in_groups && in_groups->value && !group) {
      refuse_needed(fields_.key("cla_share_factor"), in_groups->key, "true");
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

  // --- attention to another input ---

  /// Tokens of the other input, where the file fixes them.
  SourceLength source_length() {
    if (const auto stated = fields_.count("max_source_positions")) {
      return {stated->value, stated->key};
    }
    if (encoder_decoder_) return {};
    const auto vision = levels_.front().stated("vision_config");
    if (!vision || !vision->value->is(ConfigValue::Type::object)) return {};
    // One image: each tile is a square of patches and a class token.
    ConfigFields tower = levels_.front().inner(*vision);
    const auto size = tower.count("image_size", 1, 1 << 20);
    const auto patch = tower.count("patch_size");
    const auto tiles = tower.count("max_num_tiles", 1, 1 << 20);
    if (!size || !patch || !tiles) return {};
    const std::int64_t side = size->value / patch->value;
    const std::int64_t tokens =
        exact_product(vision->key, exact_product(vision->key, side, side) + 1, tiles->value);
    result_.assumed.push_back({"one_image",
                               vision->key.text(),
                               std::to_string(tokens),
                               "one image in as many tiles as the file allows",
                               {}});
    return {tokens, vision->key};
  }

  void read_cross_attention() {
    const bool layers = roles_.has(LayerRole::cross);
    const bool added = fields_.is_on("add_cross_attention");
    if (!layers && !encoder_decoder_ && !added) return;
    const SourceLength source = source_length();
    if (source.tokens == 0) {
      result_.assumed.push_back({"open_source",
                                 fields_.key("source").text(),
                                 "0",
                                 "the length of the other input is part of the question",
                                 {}});
    }
    for (LayerEntries& entries : layers_) {
      // Every layer of an encoder-decoder has both kinds of attention.
      if (!layers && !entries.empty() && entries.front().kind.k_width > 0) {
        LayerEntry cross = entries.front();
        if (cross.kind.kind == CacheKind::latent) {
          refuse_config(Reason::encoder_decoder, fields_.key("is_encoder_decoder"));
        }
        cross.kind.kind = CacheKind::cross;
        cross.kind.window = 0;
        std::erase_if(cross.from, [](const Origin& origin) { return origin.field == "window"; });
        entries.push_back(cross);
      }
      for (LayerEntry& entry : entries) {
        if (entry.kind.kind != CacheKind::cross || source.tokens == 0) continue;
        entry.kind.window = source.tokens;
        entry.from.push_back({"window", source.key.text()});
      }
    }
  }

  // --- passes and layers beside the counted ones ---

  void read_passes() {
    const auto passes = fields_.count("total_ut_steps", 1, kMostLayers);
    if (!passes) return;
    result_.passes = passes->value;
    if (passes->value > 1) {
      layer_count_.key = {&fields_, {layer_count_.key.names[0], passes->key.names[0]}, '*'};
    }
  }

  void read_prediction_layers() {
    for (const std::string_view name : {"num_nextn_predict_layers", "mtp_num_hidden_layers",
                                        "num_mtp_modules", "num_mtp_layers", "_num_mtp_layers"}) {
      const auto found = fields_.count(name, 0, kMostLayers);
      if (found && facts_.prediction_layers == 0) facts_.prediction_layers = found->value;
    }
  }

  void doubt_open_window() {
    const ConfigValue* window = fields_.find(roles_.open_window.names[0]);
    result_.doubts.push_back({"open_window", roles_.open_window.text(),
                              window == nullptr ? "" : shown(*window),
                              "the file states a window and does not say which layers have it; "
                              "read as full attention in every layer"});
  }

  // --- layout ---

  void assemble() {
    for (const LayerEntries& entries : layers_) {
      const std::size_t first = place(entries.front());
      for (std::size_t i = 1; i < entries.size(); i++) place(entries[i]);
      if (roles_.ordered) result_.layer_kinds.push_back(first);
    }
    for (LayerKind& kind : result_.layout) kind.layers *= result_.passes;
    result_.dtype = format_.stored ? format_.cache_dtype : format_.model_dtype;
    result_.dtype_path = format_.stored ? format_.cache_path : format_.path;
    result_.format = format_.of_cache();
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

  const std::vector<std::string>& ignored_;
  ModelCache result_;
  std::vector<ConfigFields> levels_;
  ConfigFields& fields_;        // the language model's level
  std::optional<Count> heads_;  // query heads
  AttentionReader attention_;
  UnknownKeys unknown_;
  Count layer_count_;
  CacheFormat format_;
  LayerRoles roles_;
  std::vector<LayerEntries> layers_;  // what each layer keeps, from the input on
  std::optional<Field<std::vector<std::int64_t>>> heads_by_layer_;
  VariantFacts facts_;
  bool encoder_decoder_ = false;
};

}  // namespace

std::variant<ModelCache, Refusal> read_config(const ConfigValue& config,
                                              const std::vector<std::string>& ignored) {
  try {
    return Reader(config, ignored).read();
  } catch (Refusal& refusal) {
    return std::move(refusal);
  }
}

}  // namespace attn

#include "core/config_reader.h"

#include <algorithm>
#include <array>
#include <utility>

#include "core/config_fields.h"
#include "core/config_format.h"
#include "core/config_keys.h"
#include "core/config_roles.h"
#include "core/config_states.h"

namespace attn {
namespace {

// Under which keys the language model's own config stands in a model of several parts.
constexpr std::array<std::string_view, 4> kLanguageModel = {"text_config", "llm_config",
                                                            "language_config", "thinker_config"};

// Keys whose inside was read by read_cache_format.
constexpr std::array<std::string_view, 3> kQuantisation = {"quantization_config",
                                                           "compression_config", "quantization"};

const ConfigFields::Names kKvHeads = {"num_key_value_heads", "n_head_kv", "num_kv_heads",
                                      "n_kv_heads"};

// No published model comes near; it keeps a hostile file from filling the memory.
constexpr std::int64_t kMostLayers = 10000;

// Likewise for widths that are added up: their sum stays a whole number that a double holds.
constexpr std::int64_t kMostWidth = std::int64_t{1} << 40;

template <std::size_t N>
bool contains(const std::array<std::string_view, N>& words, std::string_view word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

/// null, false, 0 and empty lists or objects set nothing.
bool sets_nothing(const ConfigValue& value) {
  switch (value.type()) {
    case ConfigValue::Type::null:
      return true;
    case ConfigValue::Type::boolean:
      return !value.as_boolean();
    case ConfigValue::Type::number:
      return value.as_number() == 0;
    case ConfigValue::Type::string:
      return false;
    case ConfigValue::Type::list:
    case ConfigValue::Type::object:
      return value.values().empty();
  }
  return false;
}

/// A layer's entry on its way into the layout, with the keys that its numbers come from.
struct Entry {
  LayerKind kind;
  std::vector<std::pair<std::string_view, std::string>> from;
};

/// Heads and widths of one kind of attention.
struct Geometry {
  Field<std::int64_t> heads;
  Field<std::int64_t> k_width;
  Field<std::int64_t> v_width;
};

/// The file's levels from the top down to the language model.
std::vector<ConfigFields> find_levels(const ConfigValue& root) {
  if (!root.is(ConfigValue::Type::object)) {
    refuse_config(RefusalCode::not_an_object, "", "a config is an object with named fields");
  }
  std::vector<ConfigFields> levels = {ConfigFields(root, "")};
  while (true) {
    std::optional<Field<const ConfigValue*>> inner;
    for (const std::string_view name : kLanguageModel) {
      auto here = levels.back().value({name});
      if (!here) continue;
      if (inner) {
        refuse_config(RefusalCode::conflict, here->path,
                      "may hold the language model, and so may " + inner->path);
      }
      inner = std::move(here);
    }
    if (!inner) return levels;
    if (!inner->value->is(ConfigValue::Type::object)) {
      refuse_config(RefusalCode::wrong_type, inner->path, "expected an object");
    }
    levels.emplace_back(*inner->value, inner->path);
  }
}

class Reader {
 public:
  explicit Reader(const ConfigValue& root) : levels_(find_levels(root)), fields_(levels_.back()) {}

  ModelCache read() {
    refuse_what_is_not_modelled();
    layers_field_ = fields_.needed(
        {"num_hidden_layers", "n_layer", "n_layers", "num_layers", "num_transformer_layers"});
    if (layers_field_.value > kMostLayers) {
      refuse_config(RefusalCode::out_of_range, layers_field_.path,
                    "expected at most " + std::to_string(kMostLayers) + " layers");
    }
    result_.n_layers = layers_field_.value;
    heads_ = fields_.count({"num_attention_heads", "n_head", "n_heads", "num_heads"});
    if (heads_) result_.n_heads = heads_->value;
    read_max_context();
    format_ = read_cache_format(levels_, result_.assumed);
    roles_ = read_layer_roles(fields_, result_.n_layers, result_.max_context, result_.assumed);
    read_entries();
    share_entries();
    judge_remaining_keys();
    assemble();
    add_variants();
    return std::move(result_);
  }

 private:
  // --- one field each ---

  void refuse_what_is_not_modelled() {
    for (const ConfigFields& level : levels_) {
      const ConfigValue& object = level.object();
      for (std::size_t i = 0; i < object.keys().size(); i++) {
        const std::string_view why = not_modelled(object.keys()[i]);
        if (!why.empty() && !sets_nothing(object.values()[i])) {
          refuse_config(RefusalCode::not_modelled, level.path_of(object.keys()[i]),
                        std::string(why));
        }
      }
    }
  }

  void read_max_context() {
    // In order of authority: some files also state what the model was first trained on.
    for (const std::string_view name :
         {"max_position_embeddings", "n_positions", "max_sequence_length", "seq_length",
          "max_seq_len", "n_ctx", "model_max_length"}) {
      const auto found = fields_.count({name});
      if (found && result_.max_context == 0) result_.max_context = found->value;
    }
  }

  std::optional<Field<std::int64_t>> hidden_size() {
    return fields_.count({"hidden_size", "n_embd", "n_embed", "d_model", "model_dim"});
  }

  Field<std::int64_t> needed_heads(std::string_view for_what) {
    if (!heads_) {
      refuse_config(RefusalCode::missing, fields_.path_of("num_attention_heads"),
                    std::string(for_what) + " depends on it and the file does not state it");
    }
    return *heads_;
  }

  void assume(std::string_view code, std::string field, std::int64_t value, std::string_view why) {
    result_.assumed.push_back({code, std::move(field), std::to_string(value), why});
  }

  /// Width of a head: stated, or the model's width divided among its query heads.
  Field<std::int64_t> head_width() {
    if (auto stated =
            fields_.count({"head_dim", "attention_head_dim", "kv_channels", "head_size"})) {
      return *stated;
    }
    const auto heads = needed_heads("the width of a head");
    const auto hidden = hidden_size();
    if (!hidden) {
      refuse_config(RefusalCode::missing, fields_.path_of("head_dim"),
                    "the cache depends on it, and the file states neither it nor hidden_size");
    }
    if (hidden->value % heads.value != 0) {
      refuse_config(RefusalCode::conflict, hidden->path,
                    "does not divide evenly among " + heads.path + ", and head_dim is not stated");
    }
    assume("derived_head_dim", fields_.path_of("head_dim"), hidden->value / heads.value,
           "not stated; the model's width divided by the number of query heads");
    return {hidden->value / heads.value, hidden->path + " / " + heads.path};
  }

  // --- key-value heads ---

  /// Heads that the query heads share, as one number for every layer.
  Field<std::int64_t> kv_heads() {
    const auto multi_query = fields_.boolean({"multi_query"});
    const auto grouped_anyway = fields_.boolean({"new_decoder_architecture"});
    const auto stated = fields_.count(kKvHeads);
    if (multi_query && multi_query->value && !(grouped_anyway && grouped_anyway->value)) {
      // Some of these files also repeat the number of query heads as that of key-value heads.
      if (stated && stated->value != 1 && !(heads_ && stated->value == heads_->value)) {
        refuse_config(RefusalCode::conflict, stated->path,
                      "states several key-value heads, and " + multi_query->path + " one for all");
      }
      return {1, multi_query->path};
    }
    if (!multi_query && grouped_anyway && !grouped_anyway->value) {
      refuse_config(RefusalCode::missing, fields_.path_of("multi_query"),
                    grouped_anyway->path + " is false, and then heads are shared or not by it");
    }
    const auto grouped = fields_.boolean({"multi_query_attention"});
    const auto groups = fields_.count({"multi_query_group_num"});
    if (groups && (!grouped || grouped->value)) {
      if (stated && stated->value != groups->value) {
        refuse_config(RefusalCode::conflict, stated->path,
                      "says something else than " + groups->path);
      }
      return checked(*groups);
    }
    if (grouped && grouped->value && !stated) {
      refuse_config(RefusalCode::missing, fields_.path_of("multi_query_group_num"),
                    grouped->path + " is true, and the file does not state the number of groups");
    }
    if (stated) return checked(*stated);
    const auto heads = needed_heads("the number of key-value heads");
    assume("one_kv_head_each", fields_.path_of("num_key_value_heads"), heads.value,
           "not stated; one key-value head for each query head, as in models without grouping");
    return heads;
  }

  /// Query heads are dealt out evenly to key-value heads.
  Field<std::int64_t> checked(const Field<std::int64_t>& kv) {
    if (heads_ && heads_->value % kv.value != 0) {
      refuse_config(RefusalCode::conflict, kv.path, "does not divide " + heads_->path + " evenly");
    }
    return kv;
  }

  /// The same layer by layer, where the file lists them; 0 is a layer without attention.
  std::optional<Field<std::vector<std::int64_t>>> kv_heads_by_layer() {
    const auto per_layer = fields_.counts({"num_key_value_heads_per_layer"}, 0);
    if (per_layer) fields_.disregard(kKvHeads);
    const auto direct = per_layer ? std::nullopt : fields_.value(kKvHeads);
    const bool listed = direct && direct->value->is(ConfigValue::Type::list);
    const auto found = listed ? fields_.counts(kKvHeads, 0) : per_layer;
    if (found && found->value.size() != roles_.of_layer.size()) {
      refuse_config(RefusalCode::conflict, found->path,
                    "has " + std::to_string(found->value.size()) + " entries for " +
                        std::to_string(roles_.of_layer.size()) + " layers");
    }
    // Query heads that differ by layer no longer matter once the key-value heads are listed or
    // stated.
    if (direct || per_layer)
      fields_.disregard({"num_query_heads", "num_attention_heads_per_layer"});
    return found;
  }

  // --- attention layers ---

  Geometry general_geometry() {
    Geometry general;
    general.k_width = head_width();
    general.v_width = fields_.count({"v_head_dim"}).value_or(general.k_width);
    by_layer_ = kv_heads_by_layer();
    if (!by_layer_) general.heads = kv_heads();
    return general;
  }

  Geometry window_geometry(const Geometry& general) {
    Geometry window = general;
    fields_.disregard({"swa_num_attention_heads"});
    if (const auto heads = fields_.count({"swa_num_key_value_heads"})) window.heads = *heads;
    if (const auto width = fields_.count({"swa_head_dim"})) {
      window.k_width = *width;
      if (general.v_width.path == general.k_width.path) window.v_width = *width;
    }
    if (const auto width = fields_.count({"swa_v_head_dim"})) window.v_width = *width;
    return window;
  }

  Geometry full_geometry(const Geometry& general) {
    Geometry full = general;
    const auto same = fields_.boolean({"attention_k_eq_v"});
    keys_are_values_ = same && same->value;
    if (const auto width = fields_.count({"global_head_dim"})) {
      full.k_width = *width;
      full.v_width = *width;
    }
    if (const auto heads = fields_.count({"num_global_key_value_heads"})) {
      if (!keys_are_values_) {
        refuse_config(RefusalCode::conflict, heads->path,
                      "counts heads of layers whose keys serve as values, and attention_k_eq_v "
                      "does not say that there are any");
      }
      full.heads = *heads;
    }
    return full;
  }

  static Entry attention_entry(CacheKind kind, const Geometry& geometry) {
    Entry entry;
    entry.kind.kind = kind;
    entry.kind.heads = geometry.heads.value;
    entry.kind.k_width = geometry.k_width.value;
    entry.kind.v_width = geometry.v_width.value;
    entry.from = {{"heads", geometry.heads.path},
                  {"k_width", geometry.k_width.path},
                  {"v_width", geometry.v_width.path}};
    return entry;
  }

  Entry windowed_entry(CacheKind kind, const Geometry& geometry,
                       const Field<std::int64_t>& window) {
    Entry entry = attention_entry(kind, geometry);
    entry.kind.window = window.value;
    entry.from.emplace_back("window", window.path);
    return entry;
  }

  // --- latent attention ---

  bool is_latent() { return fields_.value({"kv_lora_rank"}).has_value(); }

  std::vector<Entry> latent_entries() {
    if (roles_.has(LayerRole::window) || roles_.has(LayerRole::chunk)) {
      refuse_config(RefusalCode::not_modelled, roles_.path,
                    "windows over latent vectors are not modelled");
    }
    const auto rank = fields_.needed({"kv_lora_rank"}, 1, kMostWidth);
    const auto rotary = fields_.needed({"qk_rope_head_dim"}, 0, kMostWidth);
    Entry latent;
    latent.kind.kind = CacheKind::latent;
    latent.kind.heads = 1;
    latent.kind.k_width = rank.value + rotary.value;
    latent.from = {{"k_width", rank.path + " + " + rotary.path}};
    // Heads are made from the latent vector when they are used; their sizes are not kept.
    fields_.disregard(kKvHeads);
    fields_.disregard({"head_dim", "qk_head_dim"});
    const auto plain = fields_.count({"qk_nope_head_dim"}, 1, kMostWidth);
    const auto value = fields_.count({"v_head_dim"});
    if (heads_ && plain && value) {
      expanded_ = attention_entry(CacheKind::full,
                                  {*heads_, {plain->value + rotary.value, plain->path}, *value});
    }
    std::vector<Entry> entries = {latent};
    if (const auto width = fields_.count({"index_head_dim"})) {
      fields_.disregard({"index_n_heads", "index_topk"});
      Entry index;
      index.kind.kind = CacheKind::index;
      index.kind.heads = 1;
      index.kind.k_width = width->value;
      index.from = {{"k_width", width->path}};
      entries.push_back(index);
    }
    return entries;
  }

  // --- layers without a growing cache ---

  std::vector<Entry> state_entries(const LayerState& state) {
    std::vector<Entry> entries;
    if (state.values > 0 || state.stated_bytes > 0) {
      Entry entry;
      entry.kind.kind = CacheKind::state;
      entry.kind.state_bytes = state.stated_bytes > 0
                                   ? state.stated_bytes
                                   : exact_product({state.values, state.bits / 8}, state.path);
      entry.from = {{"state_bytes", state.path}};
      entries.push_back(entry);
      if (state.other_format_likely) {
        const int other_bits = state.bits == 32 ? format_.model_bits : 32;
        if (other_bits != state.bits) {
          other_state_bytes_ = exact_product({state.values, other_bits / 8}, state.path);
          other_state_is_float32_ = other_bits == 32;
        }
      }
    }
    if (state.kernel > 1) {
      Entry entry;
      entry.kind.kind = CacheKind::convolution;
      entry.kind.state_bytes = exact_product(
          {state.channels, state.kernel - 1, format_.model_bits / 8}, state.kernel_path);
      entry.from = {{"state_bytes", state.kernel_path}};
      entries.push_back(entry);
      whole_kernel_bytes_ =
          exact_product({state.channels, state.kernel, format_.model_bits / 8}, state.kernel_path);
    }
    if (entries.empty()) entries.push_back(entry_without_cache(CacheKind::none));
    return entries;
  }

  static Entry entry_without_cache(CacheKind kind) {
    Entry entry;
    entry.kind.kind = kind;
    return entry;
  }

  // --- all layers ---

  void read_entries() {
    if (const auto blocks = fields_.value({"block_configs"})) {
      read_blocks(*blocks);
      return;
    }
    const bool full = roles_.has(LayerRole::full);
    const bool window = roles_.has(LayerRole::window);
    const bool chunk = roles_.has(LayerRole::chunk);
    std::array<std::vector<Entry>, 7> of_role;
    const auto set = [&](LayerRole role, std::vector<Entry> entries) {
      of_role[static_cast<std::size_t>(role)] = std::move(entries);
    };
    if (is_latent()) {
      set(LayerRole::full, latent_entries());
    } else if (full || window || chunk) {
      const Geometry general = general_geometry();
      if (window) {
        set(LayerRole::window,
            {windowed_entry(CacheKind::window, window_geometry(general), roles_.window)});
      }
      if (chunk) {
        set(LayerRole::chunk, {windowed_entry(CacheKind::chunk, general, roles_.chunk)});
      }
      if (full) set(LayerRole::full, {attention_entry(CacheKind::full, full_geometry(general))});
    }
    if (roles_.has(LayerRole::linear)) {
      const auto layers =
          std::count(roles_.of_layer.begin(), roles_.of_layer.end(), LayerRole::linear);
      set(LayerRole::linear, state_entries(read_linear_state(fields_, layers, result_.assumed)));
    }
    if (roles_.has(LayerRole::mamba)) {
      set(LayerRole::mamba, state_entries(read_mamba_state(fields_, format_, result_.assumed)));
    }
    if (roles_.has(LayerRole::convolution)) {
      set(LayerRole::convolution, state_entries(read_convolution_state(fields_)));
    }
    set(LayerRole::none, {entry_without_cache(CacheKind::none)});
    hidden_size();  // stands in every file and decides in some
    for (std::size_t i = 0; i < roles_.of_layer.size(); i++) {
      std::vector<Entry> entries = of_role[static_cast<std::size_t>(roles_.of_layer[i])];
      if (by_layer_ && entries.front().kind.k_width > 0) give_heads(entries.front(), i);
      layers_.push_back(std::move(entries));
    }
  }

  void give_heads(Entry& entry, std::size_t layer) {
    const std::int64_t heads = by_layer_->value[layer];
    if (heads == 0) {
      entry = entry_without_cache(CacheKind::none);
      return;
    }
    entry.kind.heads = heads;
    entry.from.front().second = by_layer_->path;
  }

  // --- one description for each block (models cut down layer by layer) ---

  void read_blocks(const Field<const ConfigValue*>& blocks) {
    if (!blocks.value->is(ConfigValue::Type::list)) {
      refuse_config(RefusalCode::wrong_type, blocks.path, "expected a list");
    }
    const std::vector<ConfigValue>& list = blocks.value->values();
    if (list.size() != roles_.of_layer.size()) {
      refuse_config(RefusalCode::conflict, blocks.path,
                    "has " + std::to_string(list.size()) + " entries for " +
                        std::to_string(roles_.of_layer.size()) + " layers");
    }
    if (!roles_.path.empty()) {
      refuse_config(RefusalCode::conflict, roles_.path,
                    "describes the layers, and so does " + blocks.path);
    }
    if (const auto overall = fields_.value({"num_key_value_heads"})) {
      refuse_config(RefusalCode::conflict, overall->path,
                    "states key-value heads for all layers, and " + blocks.path + " for each");
    }
    const auto width = head_width();
    hidden_size();
    for (std::size_t i = 0; i < list.size(); i++) {
      const std::string path = blocks.path + "[" + std::to_string(i) + "]";
      if (!list[i].is(ConfigValue::Type::object)) {
        refuse_config(RefusalCode::wrong_type, path, "expected an object");
      }
      layers_.push_back({read_block(ConfigFields(list[i], path), width)});
    }
  }

  Entry read_block(ConfigFields block, const Field<std::int64_t>& width) {
    block.disregard({"ffn"});
    const auto attention = block.value({"attention"});
    judge_keys(block, nullptr);
    if (!attention || !attention->value->is(ConfigValue::Type::object)) {
      refuse_config(attention ? RefusalCode::wrong_type : RefusalCode::missing,
                    block.path_of("attention"), "expected an object that describes attention");
    }
    ConfigFields fields(*attention->value, attention->path);
    const auto skipped = fields.boolean({"no_op"});
    const auto replaced = fields.boolean({"replace_with_linear"});
    const auto group = fields.count({"n_heads_in_group"});
    const auto stated = fields.count({"num_key_value_heads"});
    const auto window = fields.count({"window_length"});
    // What is left speaks of attention, whatever its name; it may only be switched off.
    const ConfigValue& object = fields.object();
    for (std::size_t i = 0; i < object.keys().size(); i++) {
      if (!fields.was_asked(i) && !sets_nothing(object.values()[i])) {
        refuse_config(RefusalCode::not_modelled, fields.path_of(object.keys()[i]),
                      "changes what a block's attention keeps in a way that is not modelled");
      }
    }
    if ((skipped && skipped->value) || (replaced && replaced->value)) {
      Entry entry = entry_without_cache(CacheKind::none);
      entry.from = {{"layers", skipped && skipped->value ? skipped->path : replaced->path}};
      return entry;
    }
    const Geometry geometry = {block_heads(fields, group, stated), width, width};
    return window ? windowed_entry(CacheKind::window, geometry, *window)
                  : attention_entry(CacheKind::full, geometry);
  }

  Field<std::int64_t> block_heads(const ConfigFields& fields,
                                  const std::optional<Field<std::int64_t>>& group,
                                  const std::optional<Field<std::int64_t>>& stated) {
    if (stated) return checked(*stated);
    if (!group) {
      refuse_config(RefusalCode::missing, fields.path_of("n_heads_in_group"),
                    "the cache depends on it and the block does not state it");
    }
    const auto heads = needed_heads("the number of key-value heads");
    if (heads.value % group->value != 0) {
      refuse_config(RefusalCode::conflict, group->path,
                    "does not divide " + heads.path + " evenly");
    }
    return {heads.value / group->value, group->path};
  }

  // --- layers that read another's cache ---

  void share_entries() {
    const auto last = fields_.count({"num_kv_shared_layers"}, 0, result_.n_layers - 1);
    const auto use_groups = fields_.boolean({"use_cla"});
    const auto group = fields_.count({"cla_share_factor"});
    if (last && last->value > 0 && !roles_.ordered) {
      refuse_config(RefusalCode::missing, fields_.path_of("layer_types"),
                    last->path + " speaks of the last layers, and the file does not order them");
    }
    if (!use_groups && group && group->value > 1) {
      refuse_config(RefusalCode::missing, fields_.path_of("use_cla"),
                    group->path + " is given, but not whether layers share");
    }
    if (use_groups && use_groups->value && !group) {
      refuse_config(RefusalCode::missing, fields_.path_of("cla_share_factor"),
                    use_groups->path + " is true, and the file does not say how many layers share");
    }
    const std::size_t first_shared =
        layers_.size() - static_cast<std::size_t>(last ? last->value : 0);
    for (std::size_t i = 0; i < layers_.size(); i++) {
      const bool at_the_end = i >= first_shared;
      const bool in_a_group =
          use_groups && use_groups->value && static_cast<std::int64_t>(i) % group->value != 0;
      if (!at_the_end && !in_a_group) continue;
      Entry entry = entry_without_cache(CacheKind::shared);
      entry.from = {{"layers", at_the_end ? last->path : group->path}};
      layers_[i] = {entry};
    }
  }

  // --- keys that nobody asked for ---

  void judge_remaining_keys() {
    for (const ConfigFields& level : levels_) {
      judge_keys(level, &level == &fields_ ? nullptr : &fields_.object());
    }
  }

  /// @param inner  the language model's own object, when `level` lies further out: what it repeats
  ///               has been read there
  void judge_keys(const ConfigFields& level, const ConfigValue* inner) {
    const ConfigValue& object = level.object();
    for (std::size_t i = 0; i < object.keys().size(); i++) {
      const std::string& key = object.keys()[i];
      const ConfigValue& value = object.values()[i];
      if (level.was_asked(i) || value.is(ConfigValue::Type::null)) continue;
      if (is_known_not_to_matter(key) || contains(kQuantisation, key)) continue;
      if (!not_modelled(key).empty()) continue;  // switched off, or the file was refused before
      const ConfigValue* repeated = inner == nullptr ? nullptr : inner->find(key);
      if (repeated != nullptr && *repeated == value) continue;
      judge_key(key, value, level.path_of(key));
      result_.ignored.push_back(level.path_of(key));
    }
  }

  void judge_key(const std::string& key, const ConfigValue& value, const std::string& path) {
    const bool empty = value.values().empty() &&
                       (value.is(ConfigValue::Type::list) || value.is(ConfigValue::Type::object));
    if (is_known_not_to_matter(key) || value.is(ConfigValue::Type::null) || empty) return;
    if (speaks_of_the_cache(key)) {
      refuse_config(RefusalCode::unknown_key, path,
                    "its name speaks of what is kept, and the reader does not know it");
    }
    const bool list = value.is(ConfigValue::Type::list);
    for (std::size_t i = 0; i < value.values().size(); i++) {
      const std::string inner = list ? std::string() : value.keys()[i];
      judge_key(inner, value.values()[i], list ? path : join_path(path, inner));
    }
  }

  // --- layout ---

  void assemble() {
    for (const std::vector<Entry>& entries : layers_) {
      std::size_t first = 0;
      for (std::size_t i = 0; i < entries.size(); i++) {
        const std::size_t index = place(entries[i]);
        if (i == 0) first = index;
      }
      if (roles_.ordered) result_.layer_kinds.push_back(first);
    }
    result_.dtype = format_.model_dtype;
    result_.dtype_path = format_.path;
    result_.bits_per_value = format_.model_bits;
    if (format_.cache_bits) {
      result_.dtype = "8-bit";
      result_.dtype_path = format_.cache_bits->path;
      result_.bits_per_value = format_.cache_bits->value;
    }
  }

  /// Counts the layer under an equal entry of the layout, or opens one.
  std::size_t place(const Entry& entry) {
    for (std::size_t i = 0; i < result_.layout.size(); i++) {
      LayerKind one = result_.layout[i];
      one.layers = 0;
      if (one == entry.kind) {
        result_.layout[i].layers++;
        return i;
      }
    }
    const std::size_t index = result_.layout.size();
    result_.layout.push_back(entry.kind);
    result_.layout.back().layers = 1;
    bool layers_named = false;
    for (const auto& [field, path] : entry.from) {
      result_.sources.push_back({index, std::string(field), path});
      layers_named = layers_named || field == "layers";
    }
    if (!layers_named) result_.sources.push_back({index, "layers", layers_path(entry.kind.kind)});
    return index;
  }

  /// Where the number of layers of a kind comes from.
  const std::string& layers_path(CacheKind kind) const {
    if (kind != CacheKind::full && !roles_.other_path.empty()) return roles_.other_path;
    return roles_.path.empty() ? layers_field_.path : roles_.path;
  }

  // --- what engines do differently ---

  template <typename Change>
  void add_variant(std::string_view code, std::string_view what, Change change) {
    CacheVariant variant{code, what, result_.layout, result_.bits_per_value};
    for (LayerKind& kind : variant.layout) change(kind);
    if (variant.layout != result_.layout) result_.variants.push_back(std::move(variant));
  }

  void add_variants() {
    add_variant("index_in_bytes", "index keys kept in one byte a value (scales not counted)",
                [](LayerKind& kind) {
                  if (kind.kind == CacheKind::index) kind.own_bits = 8;
                });
    if (keys_are_values_) {
      add_variant("keys_serve_as_values", "keys and values of the full layers stored once",
                  [](LayerKind& kind) {
                    if (kind.kind == CacheKind::full) kind.v_width = 0;
                  });
    }
    if (expanded_) {
      add_variant("latent_expanded",
                  "keys and values of every head kept, expanded from the latent vector",
                  [&](LayerKind& kind) {
                    if (kind.kind != CacheKind::latent) return;
                    const std::int64_t layers = kind.layers;
                    kind = expanded_->kind;
                    kind.layers = layers;
                  });
    }
    add_variant("windows_kept_whole", "an engine that keeps every token of windowed layers too",
                [](LayerKind& kind) {
                  if (kind.kind != CacheKind::window && kind.kind != CacheKind::chunk) return;
                  kind.kind = CacheKind::full;
                  kind.window = 0;
                });
    if (other_state_bytes_ > 0) {
      add_variant(other_state_is_float32_ ? "state_in_float32" : "state_in_model_dtype",
                  other_state_is_float32_ ? "recurrent state kept in FP32"
                                          : "recurrent state kept in the model's format",
                  [&](LayerKind& kind) {
                    if (kind.kind == CacheKind::state) kind.state_bytes = other_state_bytes_;
                  });
    }
    if (whole_kernel_bytes_ > 0) {
      add_variant("convolution_whole_kernel",
                  "convolution tail kept as long as the kernel, the newest input included",
                  [&](LayerKind& kind) {
                    if (kind.kind == CacheKind::convolution) kind.state_bytes = whole_kernel_bytes_;
                  });
    }
    if (format_.cache_bits) {
      result_.variants.push_back({"cache_in_model_dtype",
                                  "keys and values kept in the model's own format", result_.layout,
                                  format_.model_bits});
    }
  }

  std::vector<ConfigFields> levels_;
  ConfigFields& fields_;  // the language model's level
  ModelCache result_;
  Field<std::int64_t> layers_field_;
  std::optional<Field<std::int64_t>> heads_;
  CacheFormat format_;
  LayerRoles roles_;
  std::vector<std::vector<Entry>> layers_;  // what each layer keeps
  std::optional<Field<std::vector<std::int64_t>>> by_layer_;
  std::optional<Entry> expanded_;
  bool keys_are_values_ = false;
  std::int64_t other_state_bytes_ = 0;
  bool other_state_is_float32_ = false;
  std::int64_t whole_kernel_bytes_ = 0;
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

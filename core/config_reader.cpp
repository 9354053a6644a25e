#include "core/config_reader.h"

#include <algorithm>
#include <array>
#include <optional>
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

constexpr std::string_view kLayers =
    "num_hidden_layers n_layer n_layers num_layers "
    "num_transformer_layers";
constexpr std::string_view kHeads = "num_attention_heads n_head n_heads num_heads";
constexpr std::string_view kKvHeads = "num_key_value_heads n_head_kv num_kv_heads n_kv_heads";
constexpr std::string_view kHeadWidth = "head_dim attention_head_dim kv_channels head_size";
constexpr std::string_view kModelWidth = "hidden_size n_embd n_embed d_model model_dim";

// In order of authority: some files also state what the model was first trained on.
constexpr std::array<std::string_view, 7> kMaxContext = {"max_position_embeddings",
                                                         "n_positions",
                                                         "max_sequence_length",
                                                         "seq_length",
                                                         "max_seq_len",
                                                         "n_ctx",
                                                         "model_max_length"};

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

bool is_empty(const ConfigValue& value) {
  return value.is(ConfigValue::Type::null) ||
         ((value.is(ConfigValue::Type::list) || value.is(ConfigValue::Type::object)) &&
          value.values().empty());
}

/// A member of a LayerKind and where its value comes from.
struct Origin {
  std::string_view field;
  std::string path;
};

/// A layer's entry on its way into the layout.
struct Entry {
  LayerKind kind;
  std::vector<Origin> from;
};

using Entries = std::vector<Entry>;

/// Heads and widths of one kind of attention.
struct Geometry {
  Count heads;
  Count k_width;
  Count v_width;
};

Entry entry_without_cache(CacheKind kind) {
  Entry entry;
  entry.kind.kind = kind;
  return entry;
}

Entry attention_entry(CacheKind kind, const Geometry& geometry, const Count& window = {}) {
  Entry entry;
  entry.kind.kind = kind;
  entry.kind.heads = geometry.heads.value;
  entry.kind.k_width = geometry.k_width.value;
  entry.kind.v_width = geometry.v_width.value;
  entry.kind.window = window.value;
  if (geometry.heads.key) entry.from.push_back({"heads", geometry.heads.key.text()});
  entry.from.push_back({"k_width", geometry.k_width.key.text()});
  if (geometry.v_width.key) entry.from.push_back({"v_width", geometry.v_width.key.text()});
  if (window.key) entry.from.push_back({"window", window.key.text()});
  return entry;
}

Entry state_entry(CacheKind kind, std::int64_t bytes, const KeyPath& key) {
  Entry entry = entry_without_cache(kind);
  entry.kind.state_bytes = bytes;
  entry.from.push_back({"state_bytes", key.text()});
  return entry;
}

/// The file's levels from the top down to the language model.
std::vector<ConfigFields> find_levels(const ConfigValue& root) {
  if (!root.is(ConfigValue::Type::object)) {
    refuse_config(RefusalCode::not_an_object, {}, "a config is an object with named fields");
  }
  std::vector<ConfigFields> levels = {ConfigFields(root, "")};
  while (true) {
    std::optional<Field<const ConfigValue*>> inner;
    for (const std::string_view name : kLanguageModel) {
      const auto here = levels.back().value(name, ConfigValue::Type::object);
      if (!here) continue;
      if (inner) {
        refuse_config(RefusalCode::conflict, here->key,
                      "may hold the language model, and so may {}", inner->key);
      }
      inner = here;
    }
    if (!inner) return levels;
    // The path first: adding a level moves those that are there.
    std::string path = inner->key.text();
    levels.emplace_back(*inner->value, std::move(path));
  }
}

class Reader {
 public:
  explicit Reader(const ConfigValue& root) : levels_(find_levels(root)), fields_(levels_.back()) {}

  ModelCache read() {
    refuse_what_is_not_modelled();
    layer_count_ = fields_.needed(kLayers, 1, kMostLayers);
    result_.n_layers = layer_count_.value;
    heads_ = fields_.count(kHeads);
    if (heads_) result_.n_heads = heads_->value;
    for (const std::string_view name : kMaxContext) {
      const auto found = fields_.count(name);
      if (found && result_.max_context == 0) result_.max_context = found->value;
    }
    format_ = read_cache_format(levels_, result_.assumed);
    roles_ = read_layer_roles(fields_, result_.n_layers, result_.max_context, result_.assumed);
    if (const auto blocks = fields_.value("block_configs", ConfigValue::Type::list)) {
      read_blocks(*blocks);
    } else {
      read_layers();
    }
    fields_.disregard(kModelWidth);  // stands in every file and decides in some
    share_layers();
    for (const ConfigFields& level : levels_) judge_keys(level);
    assemble();
    add_variants();
    return std::move(result_);
  }

 private:
  void refuse_what_is_not_modelled() {
    for (const ConfigFields& level : levels_) {
      const ConfigValue& object = level.object();
      for (std::size_t i = 0; i < object.keys().size(); i++) {
        const char* why = not_modelled(object.keys()[i]);
        if (why != nullptr && !sets_nothing(object.values()[i])) {
          refuse_config(RefusalCode::not_modelled, level.key(object.keys()[i]), why);
        }
      }
    }
  }

  void assume(std::string_view code, std::string_view field, std::int64_t value,
              std::string_view why) {
    result_.assumed.push_back({code, fields_.key(field).text(), std::to_string(value), why});
  }

  const Count& needed_heads() const {
    if (!heads_) {
      refuse_config(RefusalCode::missing, fields_.key("num_attention_heads"),
                    "the heads of the cache depend on it and the file does not state it");
    }
    return *heads_;
  }

  /// Width of a head: stated, or the model's width divided among its query heads.
  Count head_width() {
    if (const auto stated = fields_.count(kHeadWidth)) return *stated;
    const Count& heads = needed_heads();
    const auto hidden = fields_.count(kModelWidth);
    if (!hidden) {
      refuse_config(RefusalCode::missing, fields_.key("head_dim"),
                    "the cache depends on it, and the file states neither it nor hidden_size");
    }
    if (hidden->value % heads.value != 0) {
      refuse_config(RefusalCode::conflict, hidden->key,
                    "does not divide evenly among {}, and head_dim is not stated", heads.key);
    }
    assume("derived_head_dim", "head_dim", hidden->value / heads.value,
           "not stated; the model's width divided by the number of query heads");
    return {hidden->value / heads.value,
            {&fields_, {hidden->key.names[0], heads.key.names[0]}, '/'}};
  }

  // --- key-value heads ---

  /// Heads that the query heads share, as one number for every layer.
  Count kv_heads() {
    const auto multi_query = fields_.boolean("multi_query");
    const auto newer = fields_.boolean("new_decoder_architecture");
    const auto stated = fields_.count(kKvHeads);
    if (multi_query && multi_query->value && !(newer && newer->value)) {
      // Some of these files also repeat the number of query heads as that of key-value heads.
      if (stated && stated->value != 1 && !(heads_ && stated->value == heads_->value)) {
        refuse_config(RefusalCode::conflict, stated->key,
                      "states several key-value heads, and {} one for all", multi_query->key);
      }
      return {1, multi_query->key};
    }
    if (!multi_query && newer && !newer->value) {
      refuse_config(RefusalCode::missing, fields_.key("multi_query"),
                    "{} is false, and then it says whether heads are shared", newer->key);
    }
    const auto grouped = fields_.boolean("multi_query_attention");
    const auto groups = fields_.count("multi_query_group_num");
    if (groups && (!grouped || grouped->value)) {
      if (stated && stated->value != groups->value) {
        refuse_config(RefusalCode::conflict, stated->key, "says something else than {}",
                      groups->key);
      }
      return checked(*groups);
    }
    if (stated) return checked(*stated);
    if (grouped && grouped->value) {
      refuse_config(RefusalCode::missing, fields_.key("multi_query_group_num"),
                    "{} is true, and the file does not state the number of groups", grouped->key);
    }
    const Count& heads = needed_heads();
    assume("one_kv_head_each", "num_key_value_heads", heads.value,
           "not stated; one key-value head for each query head, as in models without grouping");
    return heads;
  }

  /// Query heads are dealt out evenly to key-value heads.
  Count checked(const Count& kv) const {
    if (heads_ && heads_->value % kv.value != 0) {
      refuse_config(RefusalCode::conflict, kv.key, "does not divide {} evenly", heads_->key);
    }
    return kv;
  }

  /// The same layer by layer, where the file lists them; 0 is a layer without attention.
  void read_kv_heads_by_layer() {
    by_layer_ = fields_.counts("num_key_value_heads_per_layer", 0);
    const auto direct = fields_.value(kKvHeads);
    if (!by_layer_ && direct && direct->value->is(ConfigValue::Type::list)) {
      by_layer_ = fields_.counts(kKvHeads, 0);
    }
    if (by_layer_) require_length(by_layer_->key, by_layer_->value.size(), roles_.of_layer.size());
    // Once key-value heads are stated, query heads that differ by layer do not matter.
    if (by_layer_ || direct) fields_.disregard("num_query_heads num_attention_heads_per_layer");
  }

  // --- attention ---

  Geometry general_geometry() {
    Geometry general;
    general.k_width = head_width();
    general.v_width = general.k_width;
    if (const auto width = fields_.count("v_head_dim"); width && !latent_is_off_) {
      general.v_width = *width;
    }
    read_kv_heads_by_layer();
    if (!by_layer_) general.heads = kv_heads();
    return general;
  }

  Geometry window_geometry(const Geometry& general) {
    Geometry window = general;
    fields_.disregard("swa_num_attention_heads");
    window.heads = fields_.count("swa_num_key_value_heads").value_or(general.heads);
    if (const auto width = fields_.count("swa_head_dim")) {
      window.k_width = *width;
      if (general.v_width.key.names == general.k_width.key.names) window.v_width = *width;
    }
    window.v_width = fields_.count("swa_v_head_dim").value_or(window.v_width);
    return window;
  }

  Geometry full_geometry(const Geometry& general) {
    Geometry full = general;
    keys_are_values_ = fields_.is_on("attention_k_eq_v");
    if (const auto width = fields_.count("global_head_dim")) full.k_width = full.v_width = *width;
    if (const auto heads = fields_.count("num_global_key_value_heads")) {
      if (!keys_are_values_) {
        refuse_config(RefusalCode::conflict, heads->key,
                      "counts heads of layers whose keys serve as values, and attention_k_eq_v "
                      "does not say that there are any");
      }
      full.heads = *heads;
    }
    return full;
  }

  bool is_latent() {
    const auto use = fields_.boolean("use_mla");
    const auto rank = fields_.value("kv_lora_rank");
    if (use && use->value && !rank) {
      refuse_config(RefusalCode::missing, fields_.key("kv_lora_rank"),
                    "{} is true, and the file does not state the width of the latent vector",
                    use->key);
    }
    if (!use || use->value) return rank.has_value();
    // Switched off: the sizes of its parts stay behind unused.
    if (rank) fields_.disregard("qk_rope_head_dim qk_nope_head_dim v_head_dim");
    latent_is_off_ = rank.has_value();
    return false;
  }

  Entries latent_entries() {
    if (roles_.has(LayerRole::window) || roles_.has(LayerRole::chunk)) {
      refuse_config(RefusalCode::not_modelled, roles_.key,
                    "windows over latent vectors are not modelled");
    }
    const Count rank = fields_.needed("kv_lora_rank", 1, kMostWidth);
    const Count rotary = fields_.needed("qk_rope_head_dim", 0, kMostWidth);
    const auto plain = fields_.count("qk_nope_head_dim", 1, kMostWidth);
    const auto value = fields_.count("v_head_dim");
    // Heads are made from the latent vector when they are used; their sizes are not kept.
    fields_.disregard(kKvHeads);
    fields_.disregard("head_dim qk_head_dim");
    if (heads_ && plain && value) {
      expanded_ = attention_entry(CacheKind::full,
                                  {*heads_, {plain->value + rotary.value, plain->key}, *value});
    }
    const KeyPath sum = {&fields_, {rank.key.names[0], rotary.key.names[0]}, '+'};
    const Count width = {rank.value + rotary.value, sum};
    Entries entries = {attention_entry(CacheKind::latent, {{1, {}}, width, {}})};
    if (const auto index = fields_.count("index_head_dim")) {
      fields_.disregard("index_n_heads index_topk");
      entries.push_back(attention_entry(CacheKind::index, {{1, {}}, *index, {}}));
    }
    return entries;
  }

  // --- layers without a growing cache ---

  Entries state_entries(const LayerState& state) {
    Entries entries;
    if (state.stated_bytes > 0) {
      entries.push_back(state_entry(CacheKind::state, state.stated_bytes, state.key));
    } else if (state.values > 0) {
      const std::int64_t bytes = exact_product(state.key, state.values, state.bits / 8);
      entries.push_back(state_entry(CacheKind::state, bytes, state.key));
      const int other = state.bits == 32 ? format_.model_bits : 32;
      other_state_is_float32_ = other == 32;
      if (state.other_format_likely && other != state.bits) {
        other_state_bytes_ = exact_product(state.key, state.values, other / 8);
      }
    }
    if (state.kernel.value > 1) {
      const KeyPath& key = state.kernel.key;
      const int bytes = format_.model_bits / 8;
      const std::int64_t tail = exact_product(key, state.channels, state.kernel.value - 1, bytes);
      entries.push_back(state_entry(CacheKind::convolution, tail, key));
      whole_kernel_bytes_ = exact_product(key, state.channels, state.kernel.value, bytes);
    }
    if (entries.empty()) entries.push_back(entry_without_cache(CacheKind::none));
    return entries;
  }

  // --- all layers ---

  /// What a layer of each role that occurs keeps.
  std::array<Entries, 7> entries_of_roles() {
    std::array<Entries, 7> all;
    const auto of = [&](LayerRole role) -> Entries& { return all[static_cast<std::size_t>(role)]; };
    const bool full = roles_.has(LayerRole::full);
    const bool window = roles_.has(LayerRole::window);
    const bool chunk = roles_.has(LayerRole::chunk);
    if (is_latent()) {
      of(LayerRole::full) = latent_entries();
    } else if (full || window || chunk) {
      const Geometry general = general_geometry();
      if (window) {
        of(LayerRole::window) = {
            attention_entry(CacheKind::window, window_geometry(general), roles_.window)};
      }
      if (chunk) of(LayerRole::chunk) = {attention_entry(CacheKind::chunk, general, roles_.chunk)};
      if (full) of(LayerRole::full) = {attention_entry(CacheKind::full, full_geometry(general))};
    }
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
    const std::array<Entries, 7> of_role = entries_of_roles();
    for (std::size_t i = 0; i < roles_.of_layer.size(); i++) {
      layers_.push_back(of_role[static_cast<std::size_t>(roles_.of_layer[i])]);
      Entry& first = layers_.back().front();
      if (by_layer_ && first.kind.k_width > 0) give_heads(first, by_layer_->value[i]);
    }
  }

  void give_heads(Entry& entry, std::int64_t heads) const {
    entry.kind.heads = heads;
    entry.from.push_back({"heads", by_layer_->key.text()});
    if (heads == 0) entry = entry_without_cache(CacheKind::none);
  }

  // --- one description for each block (models cut down layer by layer) ---

  void read_blocks(const Field<const ConfigValue*>& blocks) {
    const std::vector<ConfigValue>& list = blocks.value->values();
    require_length(blocks.key, list.size(), roles_.of_layer.size());
    if (roles_.key) {
      refuse_config(RefusalCode::conflict, roles_.key, "describes the layers, and so does {}",
                    blocks.key);
    }
    if (const auto overall = fields_.value("num_key_value_heads")) {
      refuse_config(RefusalCode::conflict, overall->key,
                    "states key-value heads for all layers, and {} for each", blocks.key);
    }
    const Count width = head_width();
    for (std::size_t i = 0; i < list.size(); i++) {
      const std::string path = blocks.key.text() + "[" + std::to_string(i) + "]";
      layers_.push_back({read_block(ConfigFields(list[i], path), width)});
    }
  }

  Entry read_block(ConfigFields block, const Count& width) {
    block.disregard("ffn");
    const auto attention = block.value("attention", ConfigValue::Type::object);
    judge_keys(block);
    if (!attention) {
      refuse_config(RefusalCode::missing, block.key("attention"),
                    "a block needs a description of its attention");
    }
    ConfigFields fields(*attention->value, attention->key.text());
    const bool skipped = fields.is_on("no_op");
    const bool replaced = fields.is_on("replace_with_linear");
    const auto group = fields.count("n_heads_in_group");
    const auto stated = fields.count("num_key_value_heads");
    const auto window = fields.count("window_length");
    // What is left speaks of attention, whatever its name; it may only be switched off.
    const ConfigValue& object = fields.object();
    for (std::size_t i = 0; i < object.keys().size(); i++) {
      if (!fields.was_asked(i) && !sets_nothing(object.values()[i])) {
        refuse_config(RefusalCode::not_modelled, fields.key(object.keys()[i]),
                      "changes what a block's attention keeps in a way that is not modelled");
      }
    }
    if (skipped || replaced) {
      Entry entry = entry_without_cache(CacheKind::none);
      entry.from.push_back(
          {"layers", fields.key(skipped ? "no_op" : "replace_with_linear").text()});
      return entry;
    }
    if (!stated && !group) {
      refuse_config(RefusalCode::missing, fields.key("n_heads_in_group"),
                    "the cache depends on it and the block does not state it");
    }
    const Count heads = stated ? *stated : Count{needed_heads().value / group->value, group->key};
    if (group && needed_heads().value % group->value != 0) {
      refuse_config(RefusalCode::conflict, group->key, "does not divide {} evenly", heads_->key);
    }
    const Geometry geometry = {checked(heads), width, width};
    return window ? attention_entry(CacheKind::window, geometry, *window)
                  : attention_entry(CacheKind::full, geometry);
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
      Entry entry = entry_without_cache(CacheKind::shared);
      entry.from.push_back({"layers", (at_the_end ? last : group)->key.text()});
      layers_[static_cast<std::size_t>(i)] = {entry};
    }
  }

  // --- keys that nobody asked for ---

  void judge_keys(const ConfigFields& level) {
    const ConfigValue& object = level.object();
    for (std::size_t i = 0; i < object.keys().size(); i++) {
      const std::string& key = object.keys()[i];
      const ConfigValue& value = object.values()[i];
      // What is not modelled is switched off, or the file was refused before.
      if (level.was_asked(i) || is_known_not_to_matter(key) || contains(kQuantisationKeys, key) ||
          not_modelled(key) != nullptr || value.is(ConfigValue::Type::null)) {
        continue;
      }
      // What an outer level repeats has been read further in.
      const ConfigValue* repeated = fields_.object().find(key);
      if (repeated != nullptr && repeated != &value && *repeated == value) continue;
      result_.ignored.push_back(level.key(key).text());
      judge_key(key, value, result_.ignored.back());
    }
  }

  /// Whatever stands inside a value that nobody knows is judged like the value's own key.
  static void judge_key(std::string_view key, const ConfigValue& value, const std::string& path) {
    if (is_known_not_to_matter(key) || is_empty(value)) return;
    if (speaks_of_the_cache(key)) {
      throw Refusal{RefusalCode::unknown_key, path,
                    "its name speaks of what is kept, and the reader does not know it"};
    }
    const bool list = value.is(ConfigValue::Type::list);
    for (std::size_t i = 0; i < value.values().size(); i++) {
      const std::string_view inner = list ? std::string_view() : value.keys()[i];
      judge_key(inner, value.values()[i], list ? path : join_path(path, inner));
    }
  }

  // --- layout ---

  void assemble() {
    for (const Entries& entries : layers_) {
      const std::size_t first = place(entries.front());
      for (std::size_t i = 1; i < entries.size(); i++) place(entries[i]);
      if (roles_.ordered) result_.layer_kinds.push_back(first);
    }
    result_.dtype = format_.cache_bits != 0 ? "8-bit" : format_.model_dtype;
    result_.dtype_path = format_.cache_bits != 0 ? format_.cache_path : format_.path;
    result_.bits_per_value = format_.cache_bits != 0 ? format_.cache_bits : format_.model_bits;
  }

  /// Counts the layer under an equal entry of the layout, or opens one.
  std::size_t place(const Entry& entry) {
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

  /// Where the number of layers of a kind comes from.
  const KeyPath& layers_key(CacheKind kind) const {
    if (kind != CacheKind::full && roles_.other_key) return roles_.other_key;
    return roles_.key ? roles_.key : layer_count_.key;
  }

  // --- what engines do differently ---

  /// Adds what `change` makes of the layout, if it changes anything.
  void add_variant(std::string_view code, std::string_view what,
                   void (*change)(const Reader&, LayerKind&)) {
    CacheVariant variant{code, what, result_.layout, result_.bits_per_value};
    for (LayerKind& kind : variant.layout) change(*this, kind);
    if (variant.layout != result_.layout) result_.variants.push_back(std::move(variant));
  }

  void add_variants() {
    add_variant("index_in_bytes", "index keys kept in one byte a value (scales not counted)",
                [](const Reader&, LayerKind& kind) {
                  if (kind.kind == CacheKind::index) kind.own_bits = 8;
                });
    add_variant("keys_serve_as_values", "keys and values of the full layers stored once",
                [](const Reader& reader, LayerKind& kind) {
                  if (reader.keys_are_values_ && kind.kind == CacheKind::full) kind.v_width = 0;
                });
    add_variant("latent_expanded",
                "keys and values of every head kept, expanded from the latent vector",
                [](const Reader& reader, LayerKind& kind) {
                  if (!reader.expanded_ || kind.kind != CacheKind::latent) return;
                  const std::int64_t layers = kind.layers;
                  kind = reader.expanded_->kind;
                  kind.layers = layers;
                });
    add_variant("windows_kept_whole", "an engine that keeps every token of windowed layers too",
                [](const Reader&, LayerKind& kind) {
                  if (kind.window == 0) return;
                  kind.kind = CacheKind::full;
                  kind.window = 0;
                });
    add_variant(other_state_is_float32_ ? "state_in_float32" : "state_in_model_dtype",
                other_state_is_float32_ ? "recurrent state kept in FP32"
                                        : "recurrent state kept in the model's format",
                [](const Reader& reader, LayerKind& kind) {
                  if (reader.other_state_bytes_ > 0 && kind.kind == CacheKind::state) {
                    kind.state_bytes = reader.other_state_bytes_;
                  }
                });
    add_variant("convolution_whole_kernel",
                "convolution tail kept as long as the kernel, the newest input included",
                [](const Reader& reader, LayerKind& kind) {
                  if (kind.kind == CacheKind::convolution) {
                    kind.state_bytes = reader.whole_kernel_bytes_;
                  }
                });
    if (format_.cache_bits != 0) {
      result_.variants.push_back({"cache_in_model_dtype",
                                  "keys and values kept in the model's own format", result_.layout,
                                  format_.model_bits});
    }
  }

  std::vector<ConfigFields> levels_;
  ConfigFields& fields_;  // the language model's level
  ModelCache result_;
  Count layer_count_;
  std::optional<Count> heads_;  // query heads
  CacheFormat format_;
  LayerRoles roles_;
  std::vector<Entries> layers_;  // what each layer keeps
  std::optional<Field<std::vector<std::int64_t>>> by_layer_;
  std::optional<Entry> expanded_;
  bool keys_are_values_ = false;
  bool latent_is_off_ = false;
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

#include "core/config_attention.h"

#include <string>
#include <utility>

#include "core/config_names.h"

namespace attn {
namespace {

// Widths of this size never occur; the limit keeps their sum exact.
constexpr std::int64_t kMostWidth = std::int64_t{1} << 40;

}  // namespace

void AttentionReader::assume(std::string_view code, std::string_view field, std::int64_t value,
                             std::string_view why) {
  assumed_.push_back({code, fields_.key(field).text(), std::to_string(value), why});
}

const Count& AttentionReader::needed_heads() const {
  if (!heads_) {
    refuse_config(RefusalCode::missing, fields_.key("num_attention_heads"),
                  "the heads of the cache depend on it and the file does not state it");
  }
  return *heads_;
}

Count AttentionReader::head_width() {
  if (const auto stated = fields_.count(kHeadWidthNames)) return *stated;
  const Count& heads = needed_heads();
  const auto hidden = fields_.count(kModelWidthNames);
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
  return {hidden->value / heads.value, {&fields_, {hidden->key.names[0], heads.key.names[0]}, '/'}};
}

// --- key-value heads ---

/// The key-value heads of every layer, where the layers do not differ.
Count AttentionReader::kv_heads() {
  const auto multi_query = fields_.boolean("multi_query");
  const auto newer = fields_.boolean("new_decoder_architecture");
  const auto stated = fields_.count(kKvHeadsNames);
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
      refuse_config(RefusalCode::conflict, stated->key, "says something else than {}", groups->key);
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

Count AttentionReader::checked(const Count& kv_heads) const {
  if (heads_ && heads_->value % kv_heads.value != 0) {
    refuse_config(RefusalCode::conflict, kv_heads.key, "does not divide {} evenly", heads_->key);
  }
  return kv_heads;
}

void AttentionReader::read_heads_by_layer(std::size_t n_layers) {
  auto& by_layer = result_.heads_by_layer;
  by_layer = fields_.counts("num_key_value_heads_per_layer", 0);
  const auto direct = fields_.value(kKvHeadsNames);
  if (!by_layer && direct && direct->value->is(ConfigValue::Type::list)) {
    by_layer = fields_.counts(kKvHeadsNames, 0);
  }
  if (by_layer) require_length(by_layer->key, by_layer->value.size(), n_layers);
  // Once key-value heads are stated, query heads that differ by layer do not matter.
  if (by_layer || direct) fields_.disregard("num_query_heads num_attention_heads_per_layer");
}

// --- geometry of each role ---

HeadGeometry AttentionReader::general_geometry(std::size_t n_layers) {
  HeadGeometry general;
  general.k_width = head_width();
  general.v_width = general.k_width;
  if (const auto width = fields_.count("v_head_dim"); width && !latent_is_off_) {
    general.v_width = *width;
  }
  read_heads_by_layer(n_layers);
  if (!result_.heads_by_layer) general.heads = kv_heads();
  return general;
}

HeadGeometry AttentionReader::window_geometry(const HeadGeometry& general) {
  HeadGeometry window = general;
  fields_.disregard("swa_num_attention_heads");
  window.heads = fields_.count("swa_num_key_value_heads").value_or(general.heads);
  if (const auto width = fields_.count("swa_head_dim")) {
    window.k_width = *width;
    if (general.v_width.key.names == general.k_width.key.names) window.v_width = *width;
  }
  window.v_width = fields_.count("swa_v_head_dim").value_or(window.v_width);
  return window;
}

HeadGeometry AttentionReader::full_geometry(const HeadGeometry& general) {
  HeadGeometry full = general;
  result_.keys_are_values = fields_.is_on("attention_k_eq_v");
  if (const auto width = fields_.count("global_head_dim")) full.k_width = full.v_width = *width;
  if (const auto heads = fields_.count("num_global_key_value_heads")) {
    if (!result_.keys_are_values) {
      refuse_config(RefusalCode::conflict, heads->key,
                    "counts heads of layers whose keys serve as values, and attention_k_eq_v "
                    "does not say that there are any");
    }
    full.heads = *heads;
  }
  return full;
}

// --- latent attention ---

bool AttentionReader::is_latent() {
  const auto use = fields_.boolean("use_mla");
  const auto rank = fields_.value("kv_lora_rank");
  if (use && use->value && !rank) {
    refuse_config(RefusalCode::missing, fields_.key("kv_lora_rank"),
                  "{} is true, and the file does not state the width of the latent vector",
                  use->key);
  }
  if (!use || use->value) return rank.has_value();
  // Latent attention is switched off, and the sizes of its parts are left in the file unused.
  if (rank) fields_.disregard("qk_rope_head_dim qk_nope_head_dim v_head_dim");
  latent_is_off_ = rank.has_value();
  return false;
}

LayerEntries AttentionReader::latent_entries(const LayerRoles& roles) {
  if (roles.has(LayerRole::window) || roles.has(LayerRole::chunk)) {
    refuse_config(RefusalCode::not_modelled, roles.key,
                  "windows over latent vectors are not modelled");
  }
  const Count rank = fields_.needed("kv_lora_rank", 1, kMostWidth);
  const Count rotary = fields_.needed("qk_rope_head_dim", 0, kMostWidth);
  const auto plain = fields_.count("qk_nope_head_dim", 1, kMostWidth);
  const auto value = fields_.count("v_head_dim");
  // Heads are computed from the latent vector when they are used; their sizes are not kept.
  fields_.disregard(kKvHeadsNames);
  fields_.disregard("head_dim qk_head_dim");
  if (heads_ && plain && value) {
    result_.expanded = attention_entry(
        CacheKind::full, {*heads_, {plain->value + rotary.value, plain->key}, *value});
  }
  const KeyPath sum = {&fields_, {rank.key.names[0], rotary.key.names[0]}, '+'};
  const Count width = {rank.value + rotary.value, sum};
  LayerEntries entries = {attention_entry(CacheKind::latent, {{1, {}}, width, {}})};
  if (const auto index = fields_.count("index_head_dim")) {
    fields_.disregard("index_n_heads index_topk");
    entries.push_back(attention_entry(CacheKind::index, {{1, {}}, *index, {}}));
  }
  return entries;
}

// --- all roles ---

AttentionEntries AttentionReader::read(const LayerRoles& roles) {
  const bool full = roles.has(LayerRole::full);
  const bool window = roles.has(LayerRole::window);
  const bool chunk = roles.has(LayerRole::chunk);
  if (is_latent()) {
    result_.full = latent_entries(roles);
  } else if (full || window || chunk) {
    const HeadGeometry general = general_geometry(roles.of_layer.size());
    if (window) {
      result_.window = {attention_entry(CacheKind::window, window_geometry(general), roles.window)};
    }
    if (chunk) result_.chunk = {attention_entry(CacheKind::chunk, general, roles.chunk)};
    if (full) result_.full = {attention_entry(CacheKind::full, full_geometry(general))};
  }
  return std::move(result_);
}

}  // namespace attn

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
  assumed_.push_back({code, fields_.key(field).text(), std::to_string(value), why, {}});
}

const Count& AttentionReader::needed_heads() const {
  if (!heads_) refuse_config(Reason::not_stated, fields_.key("num_attention_heads"));
  return *heads_;
}

Count AttentionReader::head_width() {
  if (const auto stated = fields_.count(kHeadWidthNames)) return *stated;
  if (!fields_.value(kModelWidthNames)) {
    refuse_config(Reason::no_head_width, fields_.key("head_dim"));
  }
  const Count& heads = needed_heads();
  const Count hidden = *fields_.count(kModelWidthNames);
  if (hidden.value % heads.value != 0) {
    refuse_config(Reason::not_divisible, hidden.key, hidden.value, heads.key, heads.value);
  }
  assume("derived_head_dim", "head_dim", hidden.value / heads.value,
         "not stated; the model's width divided by the number of query heads");
  return {hidden.value / heads.value, {&fields_, {hidden.key.names[0], heads.key.names[0]}, '/'}};
}

/// Zamba's shared attention reads the layer's input beside the embeddings: twice the model's width.
Count AttentionReader::doubled_width() {
  fields_.disregard("kv_channels attention_hidden_size num_query_groups");
  if (const auto stated = fields_.count("attention_head_dim")) return *stated;
  const Count& heads = needed_heads();
  const Count hidden = fields_.needed(kModelWidthNames);
  if (2 * hidden.value % heads.value != 0) {
    refuse_config(Reason::not_divisible, hidden.key, 2 * hidden.value, heads.key, heads.value);
  }
  assume("doubled_head_dim", "attention_head_dim", 2 * hidden.value / heads.value,
         "not stated; twice the model's width divided by the number of query heads");
  return {2 * hidden.value / heads.value,
          {&fields_, {hidden.key.names[0], heads.key.names[0]}, '/'}};
}

// --- key-value heads ---

/// The heads that an object `attn_config` states (DBRX, MPT); else nothing.
std::optional<Count> AttentionReader::grouped_heads() {
  const auto group = fields_.value("attn_config");
  if (!group || !group->value->is(ConfigValue::Type::object)) return std::nullopt;
  const ConfigFields inner = fields_.inner(*group);
  const ConfigValue* type = inner.find("attn_type");
  if (type != nullptr && type->is(ConfigValue::Type::string) &&
      type->as_string() == "multiquery_attention") {
    return Count{1, {&fields_, {"attn_config"}}};
  }
  const ConfigValue* heads = inner.find("kv_n_heads");
  if (heads == nullptr || heads->is(ConfigValue::Type::null)) return std::nullopt;
  return Count{count_from(*heads, group->key), {&fields_, {"attn_config"}}};
}

/// The key-value heads of every layer, where the layers do not differ.
Count AttentionReader::kv_heads() {
  const auto multi_query = fields_.boolean("multi_query");
  const auto newer = fields_.boolean("new_decoder_architecture");
  if (const auto grouped = grouped_heads()) {
    const auto other = fields_.stated(kKvHeadsNames);
    if (other && count_from(*other->value, other->key) != grouped->value) {
      refuse_config(Reason::two_values, other->key, *other->value, grouped->key, grouped->value);
    }
    return checked(*grouped);
  }
  const auto stated = fields_.count(kKvHeadsNames);
  if (multi_query && multi_query->value && !(newer && newer->value)) {
    // Some of these files also repeat the number of query heads as that of key-value heads.
    if (stated && stated->value != 1 && !(heads_ && stated->value == heads_->value)) {
      refuse_config(Reason::one_head_and_several, stated->key, stated->value, multi_query->key);
    }
    return {1, multi_query->key};
  }
  if (!multi_query && newer && !newer->value) {
    refuse_needed(fields_.key("multi_query"), newer->key, "false");
  }
  const auto grouped = fields_.boolean("multi_query_attention");
  const auto groups = fields_.count("multi_query_group_num");
  if (groups && (!grouped || grouped->value)) {
    if (stated && stated->value != groups->value) {
      refuse_config(Reason::two_values, stated->key, stated->value, groups->key, groups->value);
    }
    return checked(*groups);
  }
  if (stated) return checked(*stated);
  if (grouped && grouped->value) {
    refuse_needed(fields_.key("multi_query_group_num"), grouped->key, "true");
  }
  const Count& heads = needed_heads();
  assume("one_kv_head_each", "num_key_value_heads", heads.value,
         "not stated; one key-value head for each query head, as in models without grouping");
  return heads;
}

Count AttentionReader::checked(const Count& kv_heads) const {
  if (heads_ && heads_->value % kv_heads.value != 0) {
    refuse_config(Reason::not_a_divisor, kv_heads.key, kv_heads.value, heads_->key, heads_->value);
  }
  return kv_heads;
}

void AttentionReader::read_heads_by_layer(std::size_t n_layers) {
  auto& by_layer = result_.heads_by_layer;
  by_layer = fields_.counts("num_key_value_heads_per_layer", 0);
  const auto direct = fields_.stated(kKvHeadsNames);
  if (!by_layer && direct && direct->value->is(ConfigValue::Type::list)) {
    by_layer = fields_.counts(kKvHeadsNames, 0);
  }
  if (by_layer) require_length(by_layer->key, by_layer->value.size(), n_layers);
  // Once key-value heads are stated, query heads that differ by layer do not matter.
  if (by_layer || direct) fields_.disregard("num_query_heads num_attention_heads_per_layer");
}

// --- geometry of each role ---

HeadGeometry AttentionReader::general_geometry(const LayerRoles& roles) {
  HeadGeometry general;
  general.k_width = roles.doubled ? doubled_width() : head_width();
  general.v_width = general.k_width;
  if (const auto width = fields_.count("v_head_dim"); width && !latent_is_off_) {
    general.v_width = *width;
  }
  read_heads_by_layer(roles.of_layer.size());
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
      refuse_config(Reason::only_with, heads->key, heads->value, fields_.key("attention_k_eq_v"));
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
    refuse_needed(fields_.key("kv_lora_rank"), use->key, "true");
  }
  if (!use || use->value) return rank.has_value();
  // Latent attention is switched off, and the sizes of its parts are left in the file unused.
  if (rank) fields_.disregard("qk_rope_head_dim qk_nope_head_dim v_head_dim");
  latent_is_off_ = rank.has_value();
  return false;
}

LayerEntries AttentionReader::latent_entries(const LayerRoles& roles) {
  if (roles.has(LayerRole::window) || roles.has(LayerRole::chunk)) {
    refuse_config(Reason::latent_window, roles.key);
  }
  const Count rank = fields_.needed("kv_lora_rank", 1, kMostWidth);
  const Count rotary = fields_.needed("qk_rope_head_dim", 0, kMostWidth);
  const auto plain = fields_.count("qk_nope_head_dim", 1, kMostWidth);
  const auto value = fields_.count("v_head_dim");
  // Heads are computed from the latent vector when they are used; their sizes are not kept.
  fields_.disregard(kKvHeadsNames);
  fields_.disregard("head_dim qk_head_dim mla_use_nope");
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
  const bool cross = roles.has(LayerRole::cross);
  const bool parallel = roles.has(LayerRole::parallel);
  if (is_latent()) {
    result_.full = latent_entries(roles);
  } else if (full || window || chunk || cross || parallel) {
    const HeadGeometry general = general_geometry(roles);
    if (window) {
      result_.window = {attention_entry(CacheKind::window, window_geometry(general), roles.window)};
    }
    if (chunk) result_.chunk = {attention_entry(CacheKind::chunk, general, roles.chunk)};
    if (cross) result_.cross = {attention_entry(CacheKind::cross, general)};
    if (full || parallel) result_.full = {attention_entry(CacheKind::full, full_geometry(general))};
  }
  return std::move(result_);
}

}  // namespace attn

#include "core/config_levels.h"

#include <optional>
#include <utility>

#include "core/config_defaults.h"
#include "core/config_format.h"
#include "core/config_names.h"
#include "core/config_states.h"

namespace attn {
namespace {

std::string class_of(ConfigFields& level) {
  const auto name = level.stated("model_type");
  const bool text = name && name->value->is(ConfigValue::Type::string);
  return text ? name->value->as_string() : std::string();
}

/// The class of the language model, also where its own level does not name it.
std::string language_class(std::vector<ConfigFields>& levels) {
  std::string own = class_of(levels.back());
  if (own.empty() && levels.size() > 1) own = inner_class(class_of(levels[levels.size() - 2]));
  return own;
}

/// The statement that every token attends to later ones, if there is one.
std::optional<KeyPath> both_ways(ConfigFields& level) {
  if (const auto causal = level.stated("is_causal");
      causal && causal->value->is(ConfigValue::Type::boolean) && !causal->value->as_boolean()) {
    return causal->key;
  }
  // Some models say "vision" here: tokens of one image see each other, and text stays causal.
  if (const auto both = level.stated("use_bidirectional_attention");
      both && ((both->value->is(ConfigValue::Type::boolean) && both->value->as_boolean()) ||
               (both->value->is(ConfigValue::Type::string) && both->value->as_string() == "all"))) {
    return both->key;
  }
  return std::nullopt;
}

/// Bytes that all layers of a pure Mamba model keep, where the file gives every size.
std::optional<std::int64_t> mamba_bytes(std::vector<ConfigFields>& levels) {
  ConfigFields& fields = levels.back();
  try {
    std::vector<Assumption> unused;
    const CacheFormat format = read_cache_format(levels, unused);
    const Count layers = fields.needed(kLayersNames);
    const Count width = fields.needed("state_size ssm_state_size mamba_d_state");
    const Count kernel = fields.needed("conv_kernel mamba_d_conv");
    const auto groups = fields.count("n_groups");
    auto inner = fields.count("intermediate_size");
    if (const auto heads = fields.count("num_heads"); heads && groups) {
      const Count head_width = fields.needed("head_dim");
      inner = Count{exact_product(heads->key, heads->value, head_width.value), heads->key};
    }
    if (!inner) return std::nullopt;
    std::int64_t channels = inner->value;
    if (groups) channels += exact_product(groups->key, 2, groups->value, width.value);
    const std::int64_t state = exact_product(width.key, inner->value, width.value);
    const std::int64_t tail = exact_product(kernel.key, channels, kernel.value - 1);
    return exact_product(layers.key, layers.value, exact_product(width.key, state + tail, 1),
                         format.model_bits / 8);
  } catch (const Refusal&) {
    return std::nullopt;
  }
}

}  // namespace

std::vector<ConfigFields> find_levels(const ConfigValue& root,
                                      const std::vector<std::string>& ignored,
                                      std::vector<Assumption>& assumed) {
  if (!root.is(ConfigValue::Type::object)) {
    throw Refusal{Reason::config_not_object, "", shown(root), "", ""};
  }
  std::vector<ConfigFields> levels = {ConfigFields(root, "", &ignored)};
  while (true) {
    std::optional<Field<const ConfigValue*>> inner;
    for (const std::string_view name : kLanguageModelNames) {
      const auto here = levels.back().value(name, ConfigValue::Type::object);
      if (!here) continue;
      if (inner && *inner->value != *here->value) {
        refuse_config(Reason::two_language_models, here->key, {}, inner->key);
      }
      inner = here;
    }
    if (!inner) break;
    // The level is made before it is added, since adding moves the levels.
    ConfigFields level = levels.back().inner(*inner);
    levels.push_back(std::move(level));
  }
  const std::string name = language_class(levels);
  levels.back().use_defaults(class_defaults(name), name, assumed);
  return levels;
}

void refuse_without_cache(std::vector<ConfigFields>& levels) {
  for (ConfigFields& level : levels) {
    if (const auto key = both_ways(level)) {
      refuse_config(Reason::both_ways, *key, *level.find(key->names[0]));
    }
  }
  ConfigFields& fields = levels.back();
  const std::string name = language_class(levels);
  const ConfigValue* decoder = fields.find("is_decoder");
  const bool decodes = decoder != nullptr && !sets_nothing(*decoder);
  const KeyPath key = fields.key("model_type");
  if (is_encoder_class(name) && !decodes) {
    refuse_config(Reason::encoder_only, key, Detail::quoted(name));
  }
  // Segment embeddings mark encoders of the BERT family under other names too.
  const ConfigValue* segments = fields.find("type_vocab_size");
  if (segments != nullptr && !sets_nothing(*segments) && !decodes) {
    refuse_config(Reason::encoder_only, fields.key("type_vocab_size"), *segments);
  }
  const bool attention = fields.has("num_attention_heads") || fields.has("n_head");
  const bool mamba = fields.has("state_size") && fields.has("conv_kernel") && !attention;
  if (!is_state_class(name) && !mamba) return;
  const auto bytes = name.starts_with("rwkv") ? std::nullopt : mamba_bytes(levels);
  if (!bytes) refuse_config(Reason::unsized_state_only, key, Detail::quoted(name));
  refuse_config(Reason::state_only, key, Detail::quoted(name), {}, *bytes);
}

}  // namespace attn

#include "core/config_levels.h"

#include <optional>
#include <utility>

#include "core/config_constant.h"
#include "core/config_defaults.h"
#include "core/config_names.h"

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
///
/// @param of_prompt  the class applies `use_bidirectional_attention` to the prompt alone
std::optional<KeyPath> both_ways(ConfigFields& level, bool of_prompt) {
  if (const auto causal = level.stated("is_causal");
      causal && causal->value->is(ConfigValue::Type::boolean) && !causal->value->as_boolean()) {
    return causal->key;
  }
  // Some models say "vision" here: tokens of one image see each other, and text stays causal.
  if (const auto both = level.stated("use_bidirectional_attention");
      both && !of_prompt &&
      ((both->value->is(ConfigValue::Type::boolean) && both->value->as_boolean()) ||
       (both->value->is(ConfigValue::Type::string) && both->value->as_string() == "all"))) {
    return both->key;
  }
  return std::nullopt;
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
  // PaliGemma reads image and question both ways once, and generates from kept keys and values.
  const bool of_prompt = class_of(levels.front()) == "paligemma";
  for (ConfigFields& level : levels) {
    if (const auto key = both_ways(level, of_prompt)) {
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
  // The first Mamba files name no class: they have `ssm_cfg`, and a list of attention layers.
  const ConfigValue* mixed = fields.find("attn_layer_idx");
  const bool first_mamba = fields.has("ssm_cfg") && (mixed == nullptr || sets_nothing(*mixed));
  const bool mamba = fields.has("state_size") && fields.has("conv_kernel") && !attention;
  if (!is_state_class(name) && !mamba && !first_mamba) return;
  const ConfigValue* added = fields.find("attn");
  if (added != nullptr && !sets_nothing(*added)) {
    refuse_config(Reason::unknown_state_key, fields.key("attn"), *added);
  }
  const KeyPath& cause = first_mamba ? fields.key("ssm_cfg") : key;
  const auto state = constant_state(levels, name);
  if (!state) refuse_config(Reason::unsized_state_only, cause, Detail::quoted(name));
  throw Refusal{Reason::state_only, cause.text(), Detail::quoted(name).text(), state->shape,
                std::to_string(state->bytes)};
}

}  // namespace attn

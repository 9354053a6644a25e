#include "core/config_unknown.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "core/config_format.h"
#include "core/config_keys.h"
#include "core/config_names.h"

namespace attn {
namespace {

constexpr std::string_view kWhy =
    "its name speaks of what is kept, and the reader does not know it";

bool describes_quantisation(std::string_view key) {
  return std::find(kQuantisationKeys.begin(), kQuantisationKeys.end(), key) !=
         kQuantisationKeys.end();
}

bool is_language_model(std::string_view key) {
  return std::find(kLanguageModelNames.begin(), kLanguageModelNames.end(), key) !=
         kLanguageModelNames.end();
}

/// An object beside the language model that configures a model of its own.
bool is_other_part(std::string_view key, const ConfigValue& value) {
  if (!value.is(ConfigValue::Type::object)) return false;
  return names_other_part(key) || value.find("model_type") != nullptr ||
         value.find("architectures") != nullptr;
}

}  // namespace

void refuse_what_is_not_modelled(const ConfigFields& level) {
  constexpr std::array kNotModelled = {
      std::pair{"compress_ratios", Reason::compressed},
      std::pair{"use_cache_quantization", Reason::own_quantisation},
  };
  for (const auto& [key, reason] : kNotModelled) {
    const ConfigValue* value = level.find(key);
    if (value != nullptr && !sets_nothing(*value)) {
      refuse_config(reason, level.key(key), *value);
    }
  }
}

void UnknownKeys::doubt(std::string field, const ConfigValue& value) {
  if (doubts_.size() == kMostListed) return;
  doubts_.push_back({"unknown_key", std::move(field), shown(value), kWhy});
}

/// Judges an unknown key, and every key inside its value in the same way.
void UnknownKeys::judge_key(std::string_view key, const ConfigValue& value,
                            const std::string& path) {
  if (sets_nothing(value) || is_known_not_to_matter(key) || is_other_part(key, value)) return;
  if (std::find(skipped_.begin(), skipped_.end(), path) != skipped_.end()) return;
  if (speaks_of_other_layers(key))
    throw Refusal{Reason::unknown_state_key, path, shown(value), "", ""};
  if (doubts_.size() < kMostListed && speaks_of_the_cache(key)) return doubt(path, value);
  const bool list = value.is(ConfigValue::Type::list);
  for (std::size_t i = 0; i < value.values().size(); i++) {
    const ConfigValue& inner = value.values()[i];
    const bool structured =
        inner.is(ConfigValue::Type::list) || inner.is(ConfigValue::Type::object);
    if (list && structured) judge_key({}, inner, path);
    if (!list) judge_key(value.keys()[i], inner, join_path(path, value.keys()[i]));
  }
}

/// Only what speaks of the cache matters in a description of quantisation.
void UnknownKeys::judge_quantisation(const ConfigFields& quantisation) {
  constexpr std::array<std::string_view, 3> kRead = {"kv_cache_scheme", "kv_cache_quant_algo",
                                                     "kv_cache_dtype"};
  const ConfigValue& object = quantisation.object();
  for (std::size_t i = 0; i < object.keys().size(); i++) {
    const std::string& key = object.keys()[i];
    const bool cache = key.find("cache") != std::string::npos || key.starts_with("kv");
    const bool read = std::find(kRead.begin(), kRead.end(), key) != kRead.end();
    if (!cache || read || sets_nothing(object.values()[i]) || quantisation.find(key) == nullptr) {
      continue;
    }
    doubt(quantisation.key(key).text(), object.values()[i]);
  }
}

void UnknownKeys::judge(const ConfigFields& level) {
  const ConfigValue& object = level.object();
  for (std::size_t i = 0; i < object.keys().size(); i++) {
    const std::string& key = object.keys()[i];
    const ConfigValue& value = object.values()[i];
    if (describes_quantisation(key) && value.is(ConfigValue::Type::object)) {
      judge_quantisation(level.inner({&value, level.key(key)}));
      continue;
    }
    if (level.was_asked(i) || sets_nothing(value) || is_known_not_to_matter(key) ||
        is_language_model(key) || is_other_part(key, value)) {
      continue;
    }
    // An outer level may repeat a key of the language model with the same value.
    const ConfigValue* repeated = language_model_.find(key);
    if (repeated != nullptr && repeated != &value && *repeated == value) continue;
    const std::string path = level.key(key).text();
    const std::size_t doubts = doubts_.size();
    judge_key(key, value, path);
    if (doubts_.size() == doubts && ignored_.size() < kMostListed) ignored_.push_back(path);
  }
}

}  // namespace attn

#include "core/config_unknown.h"

#include <algorithm>
#include <string_view>

#include "core/config_format.h"
#include "core/config_keys.h"

namespace attn {
namespace {

bool is_empty(const ConfigValue& value) {
  return value.is(ConfigValue::Type::null) ||
         ((value.is(ConfigValue::Type::list) || value.is(ConfigValue::Type::object)) &&
          value.values().empty());
}

bool describes_quantisation(std::string_view key) {
  return std::find(kQuantisationKeys.begin(), kQuantisationKeys.end(), key) !=
         kQuantisationKeys.end();
}

/// Judges an unknown key, and every key inside its value in the same way.
void judge_key(std::string_view key, const ConfigValue& value, const std::string& path) {
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

}  // namespace

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

void refuse_what_is_not_modelled(const ConfigFields& level) {
  const ConfigValue& object = level.object();
  for (std::size_t i = 0; i < object.keys().size(); i++) {
    const char* why = not_modelled(object.keys()[i]);
    if (why != nullptr && !sets_nothing(object.values()[i])) {
      refuse_config(RefusalCode::not_modelled, level.key(object.keys()[i]), why);
    }
  }
}

void UnknownKeys::judge(const ConfigFields& level) {
  const ConfigValue& object = level.object();
  for (std::size_t i = 0; i < object.keys().size(); i++) {
    const std::string& key = object.keys()[i];
    const ConfigValue& value = object.values()[i];
    // A key that is not modelled is off here: `refuse_what_is_not_modelled` ran before.
    if (level.was_asked(i) || is_known_not_to_matter(key) || describes_quantisation(key) ||
        not_modelled(key) != nullptr || value.is(ConfigValue::Type::null)) {
      continue;
    }
    // An outer level may repeat a key of the language model with the same value.
    const ConfigValue* repeated = language_model_.object().find(key);
    if (repeated != nullptr && repeated != &value && *repeated == value) continue;
    ignored_.push_back(level.key(key).text());
    judge_key(key, value, ignored_.back());
  }
}

}  // namespace attn

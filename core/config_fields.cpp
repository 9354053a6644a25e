#include "core/config_fields.h"

#include <algorithm>
#include <cmath>

#include "core/check.h"

namespace attn {
namespace {

const char* type_name(ConfigValue::Type type) {
  switch (type) {
    case ConfigValue::Type::null:
      return "null";
    case ConfigValue::Type::boolean:
      return "true or false";
    case ConfigValue::Type::number:
      return "a number";
    case ConfigValue::Type::string:
      return "text";
    case ConfigValue::Type::list:
      return "a list";
    case ConfigValue::Type::object:
      return "an object";
  }
  return "";
}

void require_type(const ConfigValue& value, ConfigValue::Type type, const KeyPath& key) {
  if (value.is(type)) return;
  refuse_config(RefusalCode::wrong_type, key, "expected {}",
                std::string(type_name(type)) + ", got " + type_name(value.type()));
}

/// Takes the first word off a text of words separated by spaces.
std::string_view next_name(std::string_view& names) {
  const std::size_t length = std::min(names.find(' '), names.size());
  const std::string_view name = names.substr(0, length);
  names.remove_prefix(std::min(length + 1, names.size()));
  return name;
}

}  // namespace

std::string KeyPath::text() const {
  std::string text;
  for (const std::string_view name : names) {
    if (name.empty()) break;
    if (!text.empty()) text.append({' ', sign, ' '});
    text.append(join_path(level->path(), name));
  }
  return text;
}

void refuse_config(RefusalCode code, const KeyPath& key, const char* reason) {
  refuse_config(code, key, reason, std::string_view());
}

void refuse_config(RefusalCode code, const KeyPath& key, const char* reason, const KeyPath& other) {
  refuse_config(code, key, reason, other.text());
}

void refuse_config(RefusalCode code, const KeyPath& key, const char* reason,
                   std::string_view detail) {
  std::string text = reason;
  if (const std::size_t at = text.find("{}"); at != std::string::npos) text.replace(at, 2, detail);
  throw Refusal{code, key ? key.text() : std::string(), std::move(text)};
}

void require_length(const KeyPath& key, std::size_t length, std::size_t layers) {
  if (length == layers) return;
  refuse_config(RefusalCode::conflict, key,
                "has another number of entries than there are layers: {}",
                std::to_string(length) + " for " + std::to_string(layers));
}

std::string join_path(std::string_view parent, std::string_view key) {
  std::string path(parent);
  if (!path.empty()) path.push_back('.');
  return path.append(key);
}

std::int64_t count_from(const ConfigValue& value, const KeyPath& key, std::int64_t least,
                        std::int64_t most) {
  require_type(value, ConfigValue::Type::number, key);
  const double number = value.as_number();
  // Written so that NaN is refused too.
  const bool in_range = number >= static_cast<double>(least) && number <= static_cast<double>(most);
  if (!in_range || number != std::trunc(number)) {
    const std::string range =
        most == kLargestCount ? std::to_string(least) + " or more, got "
                              : std::to_string(least) + " to " + std::to_string(most) + ", got ";
    refuse_config(RefusalCode::out_of_range, key, "expected a whole number, {}",
                  range + text_of(number));
  }
  return static_cast<std::int64_t>(number);
}

std::optional<Field<const ConfigValue*>> ConfigFields::value(std::string_view names) {
  std::optional<Field<const ConfigValue*>> found;
  while (!names.empty()) {
    const std::string_view name = next_name(names);
    for (std::size_t i = 0; i < asked_.size(); i++) {
      if (object_->keys()[i] != name) continue;
      asked_[i] = true;
      const ConfigValue& here = object_->values()[i];
      if (here.is(ConfigValue::Type::null)) continue;
      if (!found) {
        found = {&here, key(name)};
      } else if (*found->value != here) {
        refuse_config(RefusalCode::conflict, key(name), "says something else than {}", found->key);
      }
    }
  }
  return found;
}

std::optional<Field<const ConfigValue*>> ConfigFields::value(std::string_view names,
                                                             ConfigValue::Type type) {
  const auto found = value(names);
  if (found) require_type(*found->value, type, found->key);
  return found;
}

std::optional<Count> ConfigFields::count(std::string_view names, std::int64_t least,
                                         std::int64_t most) {
  const auto found = value(names);
  if (!found) return std::nullopt;
  return Count{count_from(*found->value, found->key, least, most), found->key};
}

std::optional<Field<bool>> ConfigFields::boolean(std::string_view names) {
  const auto found = value(names, ConfigValue::Type::boolean);
  if (!found) return std::nullopt;
  return Field<bool>{found->value->as_boolean(), found->key};
}

bool ConfigFields::is_on(std::string_view names) {
  const auto found = boolean(names);
  return found && found->value;
}

std::optional<Field<std::string_view>> ConfigFields::word(std::string_view names) {
  const auto found = value(names, ConfigValue::Type::string);
  if (!found) return std::nullopt;
  return Field<std::string_view>{found->value->as_string(), found->key};
}

std::optional<Field<std::vector<std::int64_t>>> ConfigFields::counts(std::string_view names,
                                                                     std::int64_t least,
                                                                     std::int64_t most) {
  const auto found = value(names, ConfigValue::Type::list);
  if (!found) return std::nullopt;
  Field<std::vector<std::int64_t>> result{{}, found->key};
  for (const ConfigValue& item : found->value->values()) {
    result.value.push_back(count_from(item, found->key, least, most));
  }
  return result;
}

std::optional<Field<std::vector<std::string_view>>> ConfigFields::words(std::string_view names) {
  const auto found = value(names, ConfigValue::Type::list);
  if (!found) return std::nullopt;
  Field<std::vector<std::string_view>> result{{}, found->key};
  for (const ConfigValue& item : found->value->values()) {
    require_type(item, ConfigValue::Type::string, found->key);
    result.value.push_back(item.as_string());
  }
  return result;
}

Count ConfigFields::needed(std::string_view names, std::int64_t least, std::int64_t most) {
  const auto found = count(names, least, most);
  if (!found) {
    refuse_config(RefusalCode::missing, key(next_name(names)),
                  "the cache depends on it and the file does not state it");
  }
  return *found;
}

void ConfigFields::disregard(std::string_view names) {
  while (!names.empty()) {
    const std::string_view name = next_name(names);
    for (std::size_t i = 0; i < asked_.size(); i++) {
      if (object_->keys()[i] == name) asked_[i] = true;
    }
  }
}

}  // namespace attn

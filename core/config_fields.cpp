#include "core/config_fields.h"

#include <cmath>

#include "core/check.h"

namespace attn {
namespace {

const char* type_name(const ConfigValue& value) {
  switch (value.type()) {
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

void require_type(const ConfigValue& value, ConfigValue::Type type, const std::string& path,
                  const char* expected) {
  if (!value.is(type)) {
    refuse_config(RefusalCode::wrong_type, path,
                  std::string("expected ") + expected + ", got " + type_name(value));
  }
}

std::string range_text(std::int64_t least, std::int64_t most) {
  return most == kLargestCount ? std::to_string(least) + " or more"
                               : std::to_string(least) + " to " + std::to_string(most);
}

}  // namespace

void refuse_config(RefusalCode code, std::string field, std::string reason) {
  throw Refusal{code, std::move(field), std::move(reason)};
}

std::string join_path(std::string_view parent, std::string_view key) {
  if (parent.empty()) return std::string(key);
  return std::string(parent) + "." + std::string(key);
}

std::int64_t count_from(const ConfigValue& value, const std::string& path, std::int64_t least,
                        std::int64_t most) {
  require_type(value, ConfigValue::Type::number, path, "a whole number");
  const double number = value.as_number();
  // Written so that NaN is refused too.
  const bool in_range = number >= static_cast<double>(least) && number <= static_cast<double>(most);
  if (!in_range || number != std::trunc(number)) {
    refuse_config(
        RefusalCode::out_of_range, path,
        "expected a whole number, " + range_text(least, most) + ", got " + text_of(number));
  }
  return static_cast<std::int64_t>(number);
}

std::optional<Field<const ConfigValue*>> ConfigFields::value(Names names) {
  std::optional<Field<const ConfigValue*>> found;
  for (const std::string_view name : names) {
    for (std::size_t i = 0; i < asked_.size(); i++) {
      if (object_.keys()[i] != name) continue;
      asked_[i] = true;
      const ConfigValue& here = object_.values()[i];
      if (here.is(ConfigValue::Type::null)) continue;
      if (!found) {
        found = {&here, path_of(name)};
      } else if (*found->value != here) {
        refuse_config(RefusalCode::conflict, path_of(name),
                      "says something else than " + found->path);
      }
    }
  }
  return found;
}

std::optional<Field<std::int64_t>> ConfigFields::count(Names names, std::int64_t least,
                                                       std::int64_t most) {
  const auto found = value(names);
  if (!found) return std::nullopt;
  return Field<std::int64_t>{count_from(*found->value, found->path, least, most), found->path};
}

std::optional<Field<bool>> ConfigFields::boolean(Names names) {
  const auto found = value(names);
  if (!found) return std::nullopt;
  require_type(*found->value, ConfigValue::Type::boolean, found->path, "true or false");
  return Field<bool>{found->value->as_boolean(), found->path};
}

std::optional<Field<std::string>> ConfigFields::word(Names names) {
  const auto found = value(names);
  if (!found) return std::nullopt;
  require_type(*found->value, ConfigValue::Type::string, found->path, "text");
  return Field<std::string>{found->value->as_string(), found->path};
}

std::optional<Field<std::vector<std::int64_t>>> ConfigFields::counts(Names names,
                                                                     std::int64_t least,
                                                                     std::int64_t most) {
  const auto found = value(names);
  if (!found) return std::nullopt;
  require_type(*found->value, ConfigValue::Type::list, found->path, "a list");
  Field<std::vector<std::int64_t>> result{{}, found->path};
  for (const ConfigValue& item : found->value->values()) {
    result.value.push_back(count_from(item, found->path, least, most));
  }
  return result;
}

std::optional<Field<std::vector<std::string>>> ConfigFields::words(Names names) {
  const auto found = value(names);
  if (!found) return std::nullopt;
  require_type(*found->value, ConfigValue::Type::list, found->path, "a list");
  Field<std::vector<std::string>> result{{}, found->path};
  for (const ConfigValue& item : found->value->values()) {
    require_type(item, ConfigValue::Type::string, found->path, "a list of words");
    result.value.push_back(item.as_string());
  }
  return result;
}

Field<std::int64_t> ConfigFields::needed(Names names, std::int64_t least, std::int64_t most) {
  const auto found = count(names, least, most);
  if (!found) {
    refuse_config(RefusalCode::missing, path_of(*names.begin()),
                  "the cache depends on it and the file does not state it");
  }
  return *found;
}

void ConfigFields::disregard(Names names) {
  for (const std::string_view name : names) {
    for (std::size_t i = 0; i < asked_.size(); i++) {
      if (object_.keys()[i] == name) asked_[i] = true;
    }
  }
}

}  // namespace attn

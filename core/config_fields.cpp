#include "core/config_fields.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "core/check.h"

namespace attn {
namespace {

Reason reason_without(ConfigValue::Type type) {
  switch (type) {
    case ConfigValue::Type::boolean:
      return Reason::not_boolean;
    case ConfigValue::Type::number:
      return Reason::not_number;
    case ConfigValue::Type::string:
      return Reason::not_text;
    case ConfigValue::Type::list:
      return Reason::not_list;
    case ConfigValue::Type::object:
    case ConfigValue::Type::null:
      break;
  }
  return Reason::not_object;
}

void require_type(const ConfigValue& value, ConfigValue::Type type, const KeyPath& key) {
  if (!value.is(type)) refuse_config(reason_without(type), key, value);
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

std::string Detail::text() const {
  if (is_count_) return std::to_string(count_);
  if (value_ != nullptr) return shown(*value_);
  return quoted_ ? '"' + std::string(text_) + '"' : std::string(text_);
}

void refuse_config(Reason reason, const KeyPath& key, const Detail& value, const KeyPath& other,
                   const Detail& detail) {
  throw Refusal{reason, key ? key.text() : std::string(), value.text(),
                other ? other.text() : std::string(), detail.text()};
}

void refuse_needed(const KeyPath& key, const KeyPath& cause, const Detail& value) {
  refuse_config(Reason::needed_by, key, value, cause);
}

void require_length(const KeyPath& key, std::size_t length, std::size_t layers) {
  if (length == layers) return;
  refuse_config(Reason::list_length, key, length, {}, layers);
}

std::string join_path(std::string_view parent, std::string_view key) {
  std::string path(parent);
  if (!path.empty()) path.push_back('.');
  return path.append(key);
}

std::string shown(const ConfigValue& value) {
  constexpr std::size_t kLongest = 60;
  switch (value.type()) {
    case ConfigValue::Type::boolean:
      return value.as_boolean() ? "true" : "false";
    case ConfigValue::Type::number:
      return text_of(value.as_number());
    case ConfigValue::Type::string: {
      const std::string& text = value.as_string();
      // A cut never splits a character of UTF-8: a continuation byte begins with the bits 10.
      std::size_t end = std::min(text.size(), kLongest);
      while (end < text.size() && end > 0 && (text[end] & 0xC0) == 0x80) end--;
      return '"' + text.substr(0, end) + (end < text.size() ? "…\"" : "\"");
    }
    case ConfigValue::Type::list:
      return "[" + std::to_string(value.values().size()) + "]";
    case ConfigValue::Type::object:
      return "{" + std::to_string(value.values().size()) + "}";
    case ConfigValue::Type::null:
      return "null";
  }
  return "";
}

bool sets_nothing(const ConfigValue& value) {
  switch (value.type()) {
    case ConfigValue::Type::null:
      return true;
    case ConfigValue::Type::boolean:
      return !value.as_boolean();
    case ConfigValue::Type::number:
      return value.as_number() == 0;
    case ConfigValue::Type::string:
      return value.as_string().empty();
    case ConfigValue::Type::list:
    case ConfigValue::Type::object:
      return value.values().empty();
  }
  return false;
}

std::int64_t count_from(const ConfigValue& value, const KeyPath& key, std::int64_t least,
                        std::int64_t most) {
  require_type(value, ConfigValue::Type::number, key);
  const double number = value.as_number();
  // Written so that NaN is refused too.
  const bool in_range = number >= static_cast<double>(least) && number <= static_cast<double>(most);
  if (!in_range || number != std::trunc(number)) {
    if (most == kLargestCount) {
      refuse_config(Reason::not_a_count, key, value, {}, least);
    }
    const std::string range = std::to_string(least) + "…" + std::to_string(most);
    refuse_config(Reason::not_in_range, key, value, {}, range);
  }
  return static_cast<std::int64_t>(number);
}

ConfigFields::ConfigFields(const ConfigValue& object, std::string path,
                           const std::vector<std::string>* ignored)
    : object_(&object),
      path_(std::move(path)),
      ignored_(ignored),
      asked_(object.keys().size(), false),
      sorted_(object.keys().size()) {
  const std::vector<std::string>& keys = object.keys();
  std::iota(sorted_.begin(), sorted_.end(), std::size_t{0});
  std::sort(sorted_.begin(), sorted_.end(),
            [&](std::size_t a, std::size_t b) { return keys[a] < keys[b]; });
  if (ignored_ == nullptr || ignored_->empty()) return;
  std::erase_if(sorted_, [&](std::size_t i) {
    const bool skip =
        std::find(ignored_->begin(), ignored_->end(), join_path(path_, keys[i])) != ignored_->end();
    if (skip) asked_[i] = true;
    return skip;
  });
}

ConfigFields ConfigFields::inner(const Field<const ConfigValue*>& object) const {
  return ConfigFields(*object.value, object.key.text(), ignored_);
}

void ConfigFields::use_defaults(ConfigValue defaults, std::string class_name,
                                std::vector<Assumption>& assumed) {
  defaults_ = std::move(defaults);
  class_name_ = std::move(class_name);
  assumed_ = &assumed;
}

std::optional<std::size_t> ConfigFields::index_of(std::string_view name) const {
  const std::vector<std::string>& keys = object_->keys();
  const auto at =
      std::lower_bound(sorted_.begin(), sorted_.end(), name,
                       [&](std::size_t i, std::string_view wanted) { return keys[i] < wanted; });
  if (at == sorted_.end() || keys[*at] != name) return std::nullopt;
  return *at;
}

const ConfigValue* ConfigFields::find(std::string_view name) const {
  const auto index = index_of(name);
  return index ? &object_->values()[*index] : nullptr;
}

std::optional<Field<const ConfigValue*>> ConfigFields::stated(std::string_view names) {
  std::optional<Field<const ConfigValue*>> found;
  while (!names.empty()) {
    const std::string_view name = next_name(names);
    const auto index = index_of(name);
    if (!index) continue;
    asked_[*index] = true;
    const ConfigValue& here = object_->values()[*index];
    if (here.is(ConfigValue::Type::null)) continue;
    if (!found) {
      found = {&here, key(name)};
    } else if (*found->value != here) {
      refuse_config(Reason::two_values, key(name), here, found->key, *found->value);
    }
  }
  return found;
}

std::optional<Field<const ConfigValue*>> ConfigFields::default_of(std::string_view names) {
  std::string_view left = names;
  // A key that is present with the value null was set to nothing by its author.
  while (!left.empty()) {
    if (has(next_name(left))) return std::nullopt;
  }
  while (!names.empty()) {
    const std::string_view name = next_name(names);
    const ConfigValue* value = defaults_.find(name);
    if (value == nullptr) continue;
    const std::string path = key(name).text();
    const bool known = std::any_of(assumed_->begin(), assumed_->end(), [&](const Assumption& one) {
      return one.code == "class_default" && one.field == path;
    });
    if (!known) {
      assumed_->push_back({"class_default", path, shown(*value),
                           "not stated; the default of the published configuration class",
                           class_name_});
    }
    return Field<const ConfigValue*>{value, key(name)};
  }
  return std::nullopt;
}

std::optional<Field<const ConfigValue*>> ConfigFields::value(std::string_view names) {
  const auto found = stated(names);
  if (found || defaults_.values().empty()) return found;
  return default_of(names);
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
  if (!found) refuse_config(Reason::not_stated, key(next_name(names)));
  return *found;
}

void ConfigFields::disregard(std::string_view names) {
  while (!names.empty()) {
    if (const auto index = index_of(next_name(names))) asked_[*index] = true;
  }
}

}  // namespace attn

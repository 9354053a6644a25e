// A parsed config file as a plain tree. Page and native programs parse JSON apart and meet here.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace attn {

/// null, true/false, a number, a string, a list, or an object with its keys in file order.
///
/// Numbers are doubles, as in a browser, so that page and shell read a file alike; NaN and the
/// infinities occur in published files.
class ConfigValue {
 public:
  enum class Type { null, boolean, number, string, list, object };

  ConfigValue() = default;
  explicit ConfigValue(bool value) : type_(Type::boolean), boolean_(value) {}
  explicit ConfigValue(double value) : type_(Type::number), number_(value) {}
  explicit ConfigValue(std::string value) : type_(Type::string), string_(std::move(value)) {}

  explicit ConfigValue(const char* value) : ConfigValue(std::string(value)) {}

  static ConfigValue list() { return ConfigValue(Type::list); }
  static ConfigValue object() { return ConfigValue(Type::object); }

  /// Appends to a list.
  void add(ConfigValue value) { values_.push_back(std::move(value)); }

  /// Appends to an object. The caller makes sure that the key is new.
  void add(std::string key, ConfigValue value) {
    keys_.push_back(std::move(key));
    values_.push_back(std::move(value));
  }

  Type type() const { return type_; }
  bool is(Type type) const { return type_ == type; }

  // Each of these is meaningful for its own type only.
  bool as_boolean() const { return boolean_; }
  double as_number() const { return number_; }
  const std::string& as_string() const { return string_; }
  const std::vector<ConfigValue>& values() const { return values_; }  // of a list or object
  const std::vector<std::string>& keys() const { return keys_; }      // beside values()

  /// The value under a key of an object, or nullptr.
  const ConfigValue* find(std::string_view key) const;

  bool operator==(const ConfigValue&) const = default;

 private:
  explicit ConfigValue(Type type) : type_(type) {}

  Type type_ = Type::null;
  bool boolean_ = false;
  double number_ = 0;
  std::string string_;
  std::vector<ConfigValue> values_;
  std::vector<std::string> keys_;
};

}  // namespace attn

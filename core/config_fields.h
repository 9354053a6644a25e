// Typed access to the fields of one level of a config, under all their published names.
#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/config_refusal.h"
#include "core/config_value.h"

namespace attn {

class ConfigFields;

/// A value that the file leaves out and the reader filled in.
struct Assumption {
  std::string_view code;  // stable, for translation
  std::string field;
  std::string value;
  std::string_view why;
  std::string detail;  // the class whose default it is; else empty
};

/// The config key of a value, or up to three keys from which it was computed.
struct KeyPath {
  const ConfigFields* level = nullptr;
  std::array<std::string_view, 3> names;
  char sign = ' ';  // between the names, as in "kv_lora_rank + qk_rope_head_dim"

  explicit operator bool() const { return level != nullptr; }

  /// "text_config.head_dim"
  std::string text() const;
};

/// A value with its config key.
template <typename T>
struct Field {
  T value{};
  KeyPath key;
};

using Count = Field<std::int64_t>;

/// A value inside a message: text, a count or a config's value. It must outlive the call.
class Detail {
 public:
  Detail() = default;
  Detail(const char* text) : text_(text) {}
  Detail(std::string_view text) : text_(text) {}
  Detail(const std::string& text) : text_(text) {}
  Detail(const ConfigValue& value) : value_(&value) {}
  template <std::integral Integer>
  Detail(Integer count) : count_(static_cast<std::int64_t>(count)), is_count_(true) {}

  static Detail quoted(std::string_view text) {
    Detail detail(text);
    detail.quoted_ = true;
    return detail;
  }

  std::string text() const;

 private:
  std::string_view text_;
  const ConfigValue* value_ = nullptr;
  std::int64_t count_ = 0;
  bool is_count_ = false;
  bool quoted_ = false;
};

/// Throws a Refusal.
[[noreturn]] void refuse_config(Reason reason, const KeyPath& key, const Detail& value = {},
                                const KeyPath& other = {}, const Detail& detail = {});

/// Refuses `key` because `cause`, whose value is `value`, makes it necessary.
[[noreturn]] void refuse_needed(const KeyPath& key, const KeyPath& cause, const Detail& value);

/// Refuses a list that does not have one entry for each layer.
void require_length(const KeyPath& key, std::size_t length, std::size_t layers);

/// "a.b" of "a" and "b"; the key alone at the top.
std::string join_path(std::string_view parent, std::string_view key);

/// A value as a message shows it: 3, true, "text", or the type of what is longer.
std::string shown(const ConfigValue& value);

/// null, false, 0 and empty lists, objects and texts set nothing.
bool sets_nothing(const ConfigValue& value);

/// The largest number below which a double holds every whole number, 2⁵³ − 1.
constexpr std::int64_t kLargestCount = 9007199254740991;

/// A whole number in [least, most], or a refusal that says what was expected at `key`.
std::int64_t count_from(const ConfigValue& value, const KeyPath& key, std::int64_t least = 1,
                        std::int64_t most = kLargestCount);

/// Reads the fields of one object and records the keys that were read. The other keys are judged by
/// their names afterwards.
///
/// A field is read under any of its names, separated by spaces; messages use the first. A null
/// counts as absent. Where the file has several of the names, their values must agree. The names
/// must outlive the result.
class ConfigFields {
 public:
  /// @param ignored  paths of keys that count as absent; may be null, must outlive the fields
  ConfigFields(const ConfigValue& object, std::string path,
               const std::vector<std::string>* ignored = nullptr);

  const ConfigValue& object() const { return *object_; }
  const std::string& path() const { return path_; }

  /// The fields of an object inside this one.
  ConfigFields inner(const Field<const ConfigValue*>& object) const;

  /// Fills in what the file does not mention at all from the defaults of its published class.
  ///
  /// @param class_name  for the list of assumptions
  /// @param assumed     gets each default that is used, once
  void use_defaults(ConfigValue defaults, std::string class_name, std::vector<Assumption>& assumed);

  /// The published class of the language model, as given to `use_defaults`; else empty.
  const std::string& class_name() const { return class_name_; }

  /// A key of this level, present or not.
  KeyPath key(std::string_view name) const { return {this, {name}}; }

  /// The value under the first of the names that is present, or the class's default.
  std::optional<Field<const ConfigValue*>> value(std::string_view names);
  /// The same, of one type.
  std::optional<Field<const ConfigValue*>> value(std::string_view names, ConfigValue::Type type);
  /// The same without defaults, of any type.
  std::optional<Field<const ConfigValue*>> stated(std::string_view names);

  std::optional<Count> count(std::string_view names, std::int64_t least = 1,
                             std::int64_t most = kLargestCount);
  std::optional<Field<bool>> boolean(std::string_view names);
  /// True if the switch is present and on.
  bool is_on(std::string_view names);
  std::optional<Field<std::string_view>> word(std::string_view names);
  std::optional<Field<std::vector<std::int64_t>>> counts(std::string_view names,
                                                         std::int64_t least = 1,
                                                         std::int64_t most = kLargestCount);
  std::optional<Field<std::vector<std::string_view>>> words(std::string_view names);

  /// As `count`; throws a Refusal where the file does not state it.
  Count needed(std::string_view names, std::int64_t least = 1, std::int64_t most = kLargestCount);

  /// Marks keys as read although their values do not matter in this config.
  void disregard(std::string_view names);

  /// True if the key is there, also if its value is null.
  bool has(std::string_view name) const { return find(name) != nullptr; }
  /// The value under a key that is present and not ignored, without marking it; else nullptr.
  const ConfigValue* find(std::string_view name) const;

  bool was_asked(std::size_t key_index) const { return asked_[key_index]; }

 private:
  std::optional<std::size_t> index_of(std::string_view name) const;
  std::optional<Field<const ConfigValue*>> default_of(std::string_view names);

  const ConfigValue* object_;
  std::string path_;
  const std::vector<std::string>* ignored_;
  std::vector<bool> asked_;
  std::vector<std::size_t> sorted_;  // indices of the keys, in the order of the keys
  ConfigValue defaults_;
  std::string class_name_;
  std::vector<Assumption>* assumed_ = nullptr;
};

}  // namespace attn

// Typed access to the fields of one level of a config, under all their published names.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/config_reader.h"
#include "core/config_value.h"

namespace attn {

class ConfigFields;

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

/// Throws a Refusal. "{}" in the reason is replaced by the other key, or by the detail.
[[noreturn]] void refuse_config(RefusalCode code, const KeyPath& key, const char* reason);
[[noreturn]] void refuse_config(RefusalCode code, const KeyPath& key, const char* reason,
                                const KeyPath& other);
[[noreturn]] void refuse_config(RefusalCode code, const KeyPath& key, const char* reason,
                                std::string_view detail);

/// Refuses a list that does not have one entry for each layer.
void require_length(const KeyPath& key, std::size_t length, std::size_t layers);

/// "a.b" of "a" and "b"; the key alone at the top.
std::string join_path(std::string_view parent, std::string_view key);

/// The largest number below which a double holds every whole number, 2⁵³ − 1.
constexpr std::int64_t kLargestCount = 9007199254740991;

/// A whole number in [least, most], or a refusal that says what was expected at `key`.
std::int64_t count_from(const ConfigValue& value, const KeyPath& key, std::int64_t least = 1,
                        std::int64_t most = kLargestCount);

/// Reads the fields of one object and remembers which keys were asked for. The others are judged by
/// their names afterwards.
///
/// A field is asked for under all its names, separated by spaces, the one to show first. A null
/// counts as absent. Where the file has several of the names, their values must agree. The names
/// must outlive the result.
class ConfigFields {
 public:
  ConfigFields(const ConfigValue& object, std::string path)
      : object_(&object), path_(std::move(path)), asked_(object.keys().size(), false) {}

  const ConfigValue& object() const { return *object_; }
  const std::string& path() const { return path_; }

  /// A key of this level, present or not.
  KeyPath key(std::string_view name) const { return {this, {name}}; }

  /// The value under the first of the names that is present.
  std::optional<Field<const ConfigValue*>> value(std::string_view names);
  /// The same, of one type.
  std::optional<Field<const ConfigValue*>> value(std::string_view names, ConfigValue::Type type);

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

  /// Marks keys as asked for whose values do not matter in this config.
  void disregard(std::string_view names);

  bool was_asked(std::size_t key_index) const { return asked_[key_index]; }

 private:
  const ConfigValue* object_;
  std::string path_;
  std::vector<bool> asked_;
};

}  // namespace attn

// The fields of one level of a config under all the names they go by, each checked as it is read.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/config_reader.h"
#include "core/config_value.h"

namespace attn {

/// A value and the config key it stood under.
template <typename T>
struct Field {
  T value;
  std::string path;
};

/// Leaves the reader with a refusal.
[[noreturn]] void refuse_config(RefusalCode code, std::string field, std::string reason);

/// "a.b" of "a" and "b"; the key alone at the top.
std::string join_path(std::string_view parent, std::string_view key);

/// The largest whole number that a double holds without doubt, 2⁵³ − 1.
constexpr std::int64_t kLargestCount = 9007199254740991;

/// A whole number in [least, most], or a refusal that says what was expected at `path`.
std::int64_t count_from(const ConfigValue& value, const std::string& path, std::int64_t least,
                        std::int64_t most = kLargestCount);

/// Reads fields of one object and remembers which keys were asked for: what nobody asked for is
/// judged by its name afterwards.
///
/// null is as good as absent. Where several names of one field are given they must agree.
class ConfigFields {
 public:
  /// Names of one field, the one to show first.
  using Names = std::initializer_list<std::string_view>;

  ConfigFields(const ConfigValue& object, std::string path)
      : object_(object), path_(std::move(path)), asked_(object.keys().size(), false) {}

  const ConfigValue& object() const { return object_; }
  const std::string& path() const { return path_; }
  std::string path_of(std::string_view key) const { return join_path(path_, key); }

  /// The value under the first of the names that is there.
  std::optional<Field<const ConfigValue*>> value(Names names);

  std::optional<Field<std::int64_t>> count(Names names, std::int64_t least = 1,
                                           std::int64_t most = kLargestCount);
  std::optional<Field<bool>> boolean(Names names);
  std::optional<Field<std::string>> word(Names names);
  std::optional<Field<std::vector<std::int64_t>>> counts(Names names, std::int64_t least = 1,
                                                         std::int64_t most = kLargestCount);
  std::optional<Field<std::vector<std::string>>> words(Names names);

  /// As `count`, where the layout cannot do without it.
  Field<std::int64_t> needed(Names names, std::int64_t least = 1,
                             std::int64_t most = kLargestCount);

  /// The keys may stand there, but do not decide in this config.
  void disregard(Names names);

  bool was_asked(std::size_t key_index) const { return asked_[key_index]; }

 private:
  const ConfigValue& object_;
  std::string path_;
  std::vector<bool> asked_;
};

}  // namespace attn

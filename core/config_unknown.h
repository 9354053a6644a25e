// Keys that the reader did not use: each is ignored, doubted or refused by what its name says.
#pragma once

#include <string>
#include <vector>

#include "core/config_fields.h"
#include "core/config_reader.h"

namespace attn {

/// Refuses a config that sets a key whose meaning is known and not modelled.
void refuse_what_is_not_modelled(const ConfigFields& level);

/// No reader looks through more keys than these.
constexpr std::size_t kMostListed = 1000;

class UnknownKeys {
 public:
  /// @param language_model  the innermost level, whose values outer levels may repeat
  /// @param skipped         paths of keys that count as absent
  /// @param doubts          gets the unknown keys whose names speak of the cache
  /// @param ignored         gets the paths of the other unknown keys
  UnknownKeys(const ConfigFields& language_model, const std::vector<std::string>& skipped,
              std::vector<Doubt>& doubts, std::vector<std::string>& ignored)
      : language_model_(language_model), skipped_(skipped), doubts_(doubts), ignored_(ignored) {}

  /// Judges every key of the level that was not read. Each list ends at `kMostListed` keys.
  ///
  /// @throws Refusal for a key whose name speaks of layers that keep something else
  void judge(const ConfigFields& level);

 private:
  void doubt(std::string field, const ConfigValue& value);
  void judge_key(std::string_view key, const ConfigValue& value, const std::string& path);
  void judge_quantisation(const ConfigFields& quantisation);

  const ConfigFields& language_model_;
  const std::vector<std::string>& skipped_;
  std::vector<Doubt>& doubts_;
  std::vector<std::string>& ignored_;
};

}  // namespace attn

// Keys that the reader did not use: each is ignored or refused by what its name says.
#pragma once

#include <string>
#include <vector>

#include "core/config_fields.h"

namespace attn {

/// null, false, 0 and empty lists or objects set nothing.
bool sets_nothing(const ConfigValue& value);

/// Refuses a config that sets a key whose meaning is known and not modelled.
void refuse_what_is_not_modelled(const ConfigFields& level);

class UnknownKeys {
 public:
  /// @param language_model  the innermost level, whose values outer levels may repeat
  /// @param ignored         gets the paths of unknown keys whose names do not speak of the cache
  UnknownKeys(const ConfigFields& language_model, std::vector<std::string>& ignored)
      : language_model_(language_model), ignored_(ignored) {}

  /// Judges every key of the level that was not asked for.
  void judge(const ConfigFields& level);

 private:
  const ConfigFields& language_model_;
  std::vector<std::string>& ignored_;
};

}  // namespace attn

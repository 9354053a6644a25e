// The levels of a config, from the top of the file down to the language model.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/config_fields.h"

namespace attn {

/// @param ignored  paths of keys that count as absent; must outlive the levels
/// @param assumed  gets the defaults of the language model's class that are used
std::vector<ConfigFields> find_levels(const ConfigValue& root,
                                      const std::vector<std::string>& ignored,
                                      std::vector<Assumption>& assumed);

/// Refuses models that keep no keys and values: encoders, and those with a state in every layer.
void refuse_without_cache(std::vector<ConfigFields>& levels);

}  // namespace attn

// JSON text to a config's plain tree, for the native programs: the page has its own parser.
#pragma once

#include <string_view>

#include "core/config_value.h"

namespace attn {

/// Also takes the bare NaN, Infinity and -Infinity that published configs hold.
///
/// @throws std::invalid_argument with line and column if the text is no JSON or nests deeper
///         than 64 levels
ConfigValue parse_config(std::string_view text);

}  // namespace attn

// JSON text to a config's plain tree, for the native programs: the page has its own parser.
#pragma once

#include <cstddef>
#include <stdexcept>
#include <string>
#include <string_view>

#include "core/config_refusal.h"
#include "core/config_value.h"

namespace attn {

/// Real configs are far smaller.
constexpr std::size_t kLargestFile = std::size_t{8} << 20;
/// The largest depth of lists and objects inside each other.
constexpr std::size_t kMostLevels = 64;

/// A text that is not read, with the refusal that says why.
class ConfigTextError : public std::invalid_argument {
 public:
  explicit ConfigTextError(Refusal why)
      : std::invalid_argument(reason_text(why)), refusal(std::move(why)) {}

  Refusal refusal;
};

/// The bytes of a file as UTF-8: a byte-order mark is dropped, UTF-16 of either order is converted.
///
/// @throws ConfigTextError if the file has more than `kLargestFile` bytes
std::string decoded_text(std::string bytes);

/// Also takes the bare NaN, Infinity and -Infinity that published configs hold.
///
/// @throws ConfigTextError with line and column if the text is no JSON, with the key if an object
///         has one twice, and if the text nests deeper than `kMostLevels`
ConfigValue parse_config(std::string_view text);

}  // namespace attn

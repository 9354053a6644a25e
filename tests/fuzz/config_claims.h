// Claims that hold for any text given to the config reader.
#pragma once

#include <string_view>

namespace attn {

/// Reads the text as a config and sizes the cache it describes, and every variant of it.
///
/// @throws std::logic_error naming the claim that does not hold: a result is a layout whose every
///         number has a source or is stated as assumed, or a refusal with a reason; sizes are never
///         negative, never shrink with the context, and add up
void check_claims(std::string_view text);

}  // namespace attn

// What the name of a config key says about the KV cache, for keys that the reader does not use.
#pragma once

#include <string_view>

namespace attn {

/// The key is known, and no cache depends on it: the feed-forward part, positions, training,
/// vision and audio towers, prediction heads beside the counted layers, names.
bool is_known_not_to_matter(std::string_view key);

/// The name speaks of attention, cache, windows, layers, states …: a key of such a name that
/// nobody knows may well decide, so a config that has one is refused.
bool speaks_of_the_cache(std::string_view key);

/// Why a config that sets this key describes a cache which is not modelled; nullptr for other keys.
const char* not_modelled(std::string_view key);

}  // namespace attn

// Judges config keys that the reader does not use by their names.
#pragma once

#include <string_view>

namespace attn {

/// The key is known, and no cache depends on it: the feed-forward part, positions, training,
/// vision and audio towers, prediction heads beside the counted layers, names.
bool is_known_not_to_matter(std::string_view key);

/// The name speaks of attention, cache, windows, layers, states …: an unknown key of such a name
/// may well change the cache.
bool speaks_of_the_cache(std::string_view key);

/// The reason why a config that sets this key is not modelled; nullptr for other keys.
const char* not_modelled(std::string_view key);

}  // namespace attn

// Judges config keys that the reader does not use by their names.
#pragma once

#include <string_view>

namespace attn {

/// The key is known, and no cache depends on it: the feed-forward part, positions, training,
/// vision and audio towers, prediction heads beside the counted layers, names.
bool is_known_not_to_matter(std::string_view key);

/// The name describes another part of the model than the language model: an encoder of images or
/// sound, a generation head, a draft model.
bool names_other_part(std::string_view key);

/// The name speaks of layers that keep something else than keys and values: a key of such a name
/// that is not known changes the cache in an unknown way.
bool speaks_of_other_layers(std::string_view key);

/// The name speaks of attention, cache, windows, layers …: an unknown key of such a name may change
/// the cache.
bool speaks_of_the_cache(std::string_view key);

}  // namespace attn

// The entries of one layer before they are counted into a layout, with the keys they come from.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/config_fields.h"
#include "core/kv_cache.h"

namespace attn {

/// A member of a LayerKind and the config key that gave its value.
struct Origin {
  std::string_view field;
  std::string path;
};

/// One entry of one layer; the number of its layers is not counted yet.
struct LayerEntry {
  LayerKind kind;
  std::vector<Origin> from;
};

/// Everything that one layer keeps: one entry, or a main one and what comes on top of it.
using LayerEntries = std::vector<LayerEntry>;

/// Heads and widths of one kind of attention.
struct HeadGeometry {
  Count heads;
  Count k_width;
  Count v_width;
};

LayerEntry entry_without_cache(CacheKind kind);

/// @param window  tokens kept at most; without a key where the kind has no window
LayerEntry attention_entry(CacheKind kind, const HeadGeometry& geometry, const Count& window = {});

/// @param bytes  of one layer and sequence, 1 or more
LayerEntry state_entry(CacheKind kind, std::int64_t bytes, const KeyPath& key);

}  // namespace attn

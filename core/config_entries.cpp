#include "core/config_entries.h"

namespace attn {

LayerEntry entry_without_cache(CacheKind kind) {
  LayerEntry entry;
  entry.kind.kind = kind;
  return entry;
}

LayerEntry attention_entry(CacheKind kind, const HeadGeometry& geometry, const Count& window) {
  LayerEntry entry = entry_without_cache(kind);
  entry.kind.heads = geometry.heads.value;
  entry.kind.k_width = geometry.k_width.value;
  entry.kind.v_width = geometry.v_width.value;
  entry.kind.window = window.value;
  if (geometry.heads.key) entry.from.push_back({"heads", geometry.heads.key.text()});
  entry.from.push_back({"k_width", geometry.k_width.key.text()});
  if (geometry.v_width.key) entry.from.push_back({"v_width", geometry.v_width.key.text()});
  if (window.key) entry.from.push_back({"window", window.key.text()});
  return entry;
}

LayerEntry state_entry(CacheKind kind, std::int64_t bytes, const KeyPath& key) {
  LayerEntry entry = entry_without_cache(kind);
  entry.kind.state_bytes = bytes;
  entry.from.push_back({"state_bytes", key.text()});
  return entry;
}

}  // namespace attn

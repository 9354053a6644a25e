// Kinds of layers for tests of caches.
#pragma once

#include <cstdint>

#include "core/kv_cache.h"

namespace attn {

/// Layers that store keys and values of one width for every token.
inline LayerKind full(std::int64_t layers, std::int64_t heads, std::int64_t width) {
  return {.kind = CacheKind::full,
          .layers = layers,
          .heads = heads,
          .k_width = width,
          .v_width = width};
}

/// The same for the last `tokens` tokens only.
inline LayerKind window(std::int64_t layers, std::int64_t heads, std::int64_t width,
                        std::int64_t tokens) {
  LayerKind kind = full(layers, heads, width);
  kind.kind = CacheKind::window;
  kind.window = tokens;
  return kind;
}

}  // namespace attn

// Exact sums and products of bytes, and what a plan of a cache asks about a kind of layer.
#pragma once

#include <cstdint>

#include "core/kv_cache.h"

namespace attn {

bool has_kv_heads(CacheKind kind);
bool has_state(CacheKind kind);

/// @throws std::invalid_argument beyond 2⁶³ − 1
std::int64_t plus(std::int64_t a, std::int64_t b);
std::int64_t times(std::int64_t a, std::int64_t b);

/// The whole blocks that hold `value`, 0 or more, of `size`, 1 or more.
std::int64_t blocks_for(std::int64_t value, std::int64_t size);

/// Bytes of one entry of a layout for one sequence, with room for `tokens` tokens.
std::int64_t bytes_of(LayerKind kind, const CacheQuery& query, std::int64_t tokens);

}  // namespace attn

// The size of a model's KV cache in bytes, from the list of its kinds of layers.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "core/names.h"
#include "core/value_format.h"

namespace attn {

/// The form in which a layer keeps the tokens it has read.
enum class CacheKind {
  full,         // keys and values of every token
  window,       // keys and values of the last `window` tokens
  chunk,        // keys and values of the current chunk, at most `window` tokens
  latent,       // one compressed vector a token, shared by all heads (MLA)
  index,        // one key a token for choosing which tokens to read; comes on top of another kind
  cross,        // keys and values of another input (an image, a source text), written once
  state,        // a recurrent state, as large after one token as after a million
  convolution,  // the last inputs of a short convolution; likewise constant
  shared,       // reads the cache of another layer
  none,         // keeps nothing (a feed-forward layer, a skipped attention)
};

template <>
inline constexpr std::array<std::string_view, 10> names<CacheKind> = {
    "full",  "window", "chunk",       "latent", "index",
    "cross", "state",  "convolution", "shared", "none"};

/// Layers of a model that keep their tokens in the same form.
struct LayerKind {
  CacheKind kind = CacheKind::full;
  std::int64_t layers = 0;
  std::int64_t heads = 0;    // full, window, chunk, cross: key-value heads; latent, index: 1
  std::int64_t k_width = 0;  // values kept as key, per head and token; latent, index: all of them
  std::int64_t v_width = 0;  // values kept as value, per head and token; latent, index: 0
  std::int64_t window = 0;  // window, chunk: tokens kept at most; cross: tokens of the other input,
                            // 0 where the query gives them
  std::int64_t state_bytes = 0;  // state, convolution: bytes a layer and sequence
  std::int64_t own_bits = 0;     // bits a value where the kind has its own format; 0: the query's

  bool operator==(const LayerKind&) const = default;
};

using CacheLayout = std::vector<LayerKind>;

struct CacheQuery {
  std::int64_t context = 0;  // tokens read so far, 0 or more
  std::int64_t batch = 1;    // sequences, 1 or more
  ValueFormat format{};      // of a value: 4, 5, 8, 16 or 32 bits, and its scales
  std::int64_t source = 0;   // tokens of the other input, for cross-attention; 0 or more
};

/// One kind's share, for all its layers together.
struct KindBytes {
  std::int64_t bytes_per_token = 0;   // of one sequence, while the kind still grows
  std::int64_t constant = 0;          // of one sequence, whatever the length
  std::int64_t total = 0;             // of the whole batch at the query's context
  std::int64_t per_source_token = 0;  // cross: of one sequence, for each token of the other input
};

struct CacheBytes {
  std::int64_t total = 0;              // the whole batch at the query's context
  std::int64_t growing_per_token = 0;  // what one more token adds to one sequence at that context
  std::int64_t within_window_per_token = 0;  // the same while all windows are still filling
  std::int64_t constant = 0;                 // of one sequence, whatever the length
  std::int64_t per_source_token = 0;         // what one token of an open source adds to constant
  std::vector<KindBytes> kinds;              // one for each entry of the layout, in its order
};

/// Exact size of the cache.
///
/// A layer keeps heads · (k_width + v_width) values a token with their scales, rounded up to whole
/// bytes. A window keeps min(context, window) tokens; a chunk is counted at its fullest, likewise.
///
/// @throws std::invalid_argument if a size is negative or missing for its kind, if the format
///         has no such width, or if any of the results is more than 2⁶³ − 1 bytes
CacheBytes cache_bytes(const CacheLayout& layout, const CacheQuery& query);

/// The longest context at which the cache of `query.batch` sequences fits into `budget_bytes`.
///
/// @param query  its context is not used
/// @return nothing if the cache stops growing before it fills the budget: any length fits;
///         −1 if even the constant part does not fit
/// @throws std::invalid_argument as `cache_bytes`, or if the budget is negative
std::optional<std::int64_t> longest_context(const CacheLayout& layout, const CacheQuery& query,
                                            std::int64_t budget_bytes);

}  // namespace attn

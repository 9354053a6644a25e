// Attention tile by tile: no more than one tile of the table of scores is kept at a time.
#pragma once

#include <cstdint>
#include <vector>

#include "core/matrix.h"
#include "core/sparse.h"

namespace attn {

/// The state of a block of queries after one tile. A query that has seen no key yet has sum 0,
/// maximum 0 and an output of zeros.
struct Tile {
  int query_begin = 0, query_end = 0;  // queries of the tile: begin … end − 1
  int key_begin = 0, key_end = 0;
  int pairs = 0;               // visible pairs; at 0 the tile is skipped
  Matrix terms;                // (queries, keys) e^(s − m) with m below; 0 where hidden
  std::vector<double> before;  // (queries) m before the tile
  std::vector<double> max;     // (queries) m, largest visible score so far
  std::vector<double> sum;     // (queries) ℓ, Σ e^(s − m) so far
  Matrix output;               // (queries, d_v) Σ e^(s − m) v ÷ ℓ so far
};

struct TiledTrace {
  std::vector<Tile> tiles;  // a block of queries after another, for each the blocks of keys
  Matrix output;            // (T_q, d_v)
  int held = 0;  // most numbers kept at once: Q, K, V, scores, m, ℓ and output of a tile
};

/// softmax(Q Kᵀ / √d_k + mask) V, equal to `attention` up to rounding.
///
/// @param q       (T_q, d_k)
/// @param k       (T_k, d_k)
/// @param v       (T_k, d_v)
/// @param mask    (T_q, T_k) of 0 and kHidden; each query sees at least one key
/// @param block   queries and keys of a tile, at least 1; the last tiles may be smaller
/// @throws std::invalid_argument as `attention`, or for a block below 1
/// Source: Dao et al. 2022, "FlashAttention", algorithm 1, with the loop over queries outside.
TiledTrace tiled_attention(const Matrix& q, const Matrix& k, const Matrix& v, const Matrix& mask,
                           int block);

struct TileOptions {
  int n = 12;  // tokens
  int d = 4;   // width of a head
  int block = 4;
  SparseRule rule;
  std::uint32_t seed = 1;
};

/// Standard normal Q, K and V of a seed, walked tile by tile.
struct TileWalk {
  TiledTrace trace;
  Matrix mask;            // (n, n)
  Matrix output;          // (n, d) of `attention`
  double difference = 0;  // largest |trace.output − output|
};

/// @throws std::invalid_argument for a count below 1 or a rule that sparse_mask refuses
TileWalk tile_walk(const TileOptions& options);

}  // namespace attn

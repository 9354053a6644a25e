// Multi-head latent attention: one narrow vector per token is stored, and keys are computed from it
// when they are needed (DeepSeek-AI 2024, DeepSeek-V2, section 2.1).
#pragma once

#include <span>
#include <vector>

#include "core/matrix.h"

namespace attn {

/// Scores of one query with t tokens that are stored as latents, computed in three ways.
struct LatentScores {
  Matrix keys;                   // (t, d) computed from the latents, rotated by their positions
  std::vector<double> expanded;  // (t) the query, rotated by its own position, times each key
  Matrix folded;             // (t, r) row j: the query, rotated by the distance t − 1 − j and
                             // multiplied by the transposed up-projection
  std::vector<double> each;  // (t) folded row j times latent j
  std::vector<double> once;  // (t) the last folded row, distance 0, times every latent
  double each_error = 0;     // largest |each − expanded|: rounding
  double once_error = 0;     // largest |once − expanded|: rounding if `rotated` is 0
};

/// Latent j stands at position j and the query at t − 1. Keys and query are rotated by `rotate`.
/// With `rotated` = 0 all rows of `folded` are the same.
///
/// @param query    (d)
/// @param latents  (t, r)
/// @param up       (r, d) the up-projection: key = latent · up
/// @param rotated  even, 0 … d
/// @param base     greater than 1
/// @throws std::invalid_argument for other shapes or values, or a number that is NaN or infinite
LatentScores latent_scores(std::span<const double> query, const Matrix& latents, const Matrix& up,
                           int rotated, double base);

/// Numbers that one layer caches for a token: keys and values of every head, against the latent and
/// the part that is rotated and cached beside it.
struct LatentSizes {
  int keys = 0;      // heads · width: one number for each column of the up-projections
  int whole = 0;     // 2 · keys
  int kept = 0;      // rank + rope
  double share = 0;  // kept ÷ whole
};

/// @param heads, width, rank  at least 1
/// @param rope                at least 0; 0 where no part is rotated by itself
/// @throws std::invalid_argument for anything else
LatentSizes latent_sizes(int heads, int width, int rank, int rope);

}  // namespace attn

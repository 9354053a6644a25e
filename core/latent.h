// Keys that are kept as one narrow vector a token and made from it when they are needed
// (multi-head latent attention; DeepSeek-AI 2024, DeepSeek-V2, section 2.1).
#pragma once

#include <span>
#include <vector>

#include "core/matrix.h"

namespace attn {

/// The scores of one query with t tokens of which only latents are kept, in three ways.
struct LatentScores {
  Matrix keys;                   // (t, d) made from the latents and turned by their positions
  std::vector<double> expanded;  // (t) the query, turned by its own position, times each key
  Matrix folded;                 // (t, r) what latent j has to meet: up-projection and the turn by
                                 // the distance t − 1 − j, both moved over to the query
  std::vector<double> each;      // (t) folded row j times latent j
  std::vector<double> once;      // (t) the last folded row, distance 0, times every latent
  double each_error = 0;         // largest |each − expanded|: rounding
  double once_error = 0;         // largest |once − expanded|: rounding only where nothing turns
};

/// Latent j stands at position j and the query at t − 1. What is turned is rotated as `rotate` does
/// it, key and query alike; with `rotated` = 0 nothing is, and all rows of `folded` are the same.
///
/// @param query    (d)
/// @param latents  (t, r)
/// @param up       (r, d) the up-projection: key = latent · up
/// @param rotated  even, 0 … d
/// @param base     greater than 1
/// @throws std::invalid_argument for other shapes or values, or a number that is NaN or infinite
LatentScores latent_scores(std::span<const double> query, const Matrix& latents, const Matrix& up,
                           int rotated, double base);

}  // namespace attn

// Matrices of random normal numbers, in place of trained weights.
#pragma once

#include <cstdint>

#include "core/matrix.h"
#include "core/rng.h"

namespace attn {

/// Independent normal numbers with mean 0, row by row from one stream of one seed.
///
/// @param rows, cols at least 1
/// @param std standard deviation, finite and not negative
/// @return (rows, cols)
/// @throws std::invalid_argument for anything else
Matrix normal_matrix(int rows, int cols, double std, std::uint64_t seed, std::uint64_t stream);

/// The same, drawn from a generator row by row.
Matrix normal_matrix(Eigen::Index rows, Eigen::Index cols, double std, Rng& rng);

}  // namespace attn

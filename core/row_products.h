// Scores of pairs: the first query with the first key, the second with the second.
#pragma once

#include <vector>

#include "core/matrix.h"

namespace attn {

/// q_t · k_t for every t, each summed over the columns in order: the diagonal of Q Kᵀ alone.
///
/// @param q, k (T, d)
/// @return (T)
/// @throws std::invalid_argument if the shapes differ, or a number is NaN or infinite
std::vector<double> row_products(const Matrix& q, const Matrix& k);

}  // namespace attn

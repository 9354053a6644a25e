// Matrix products in which every element is one sum in one fixed order.
#pragma once

#include <vector>

#include "core/matrix.h"

namespace attn {

/// x · w. Element (i, j) starts at 0 and adds x(i, k) w(k, j) for k = 0, 1, 2, …
///
/// Every product of matrices in the core goes through this function. Eigen's operator* cuts the
/// sums into blocks whose size depends on the processor's caches, so its last digits differ between
/// machines. Eigen's lazyProduct keeps the order, but it walks down the columns of w: at
/// (256, 512) · (512, 512) it takes 12 to 16 times as long.
///
/// @param x  (n, k)
/// @param w  (k, m)
/// @return   (n, m)
/// @throws std::invalid_argument if the shapes don't fit, a matrix is empty or holds NaN or ±∞
Matrix product(const Matrix& x, const Matrix& w);

/// q_t · k_t for every t, summed over the columns in order: the diagonal of Q Kᵀ.
///
/// @param q, k  (T, d)
/// @return (T)
/// @throws std::invalid_argument if the shapes differ, or a number is NaN or infinite
std::vector<double> row_products(const Matrix& q, const Matrix& k);

/// q_t · k_t ÷ √d for every t; d may exceed the columns where q and k are parts of longer vectors.
///
/// @param q, k  (T, n)
/// @param d     1 or more
/// @return (T)
/// @throws std::invalid_argument as row_products, or if d is below 1
std::vector<double> row_scores(const Matrix& q, const Matrix& k, int d);

}  // namespace attn

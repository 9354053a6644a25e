// Matrix products in which every element is one sum in one fixed order.
#pragma once

#include <span>

#include "core/matrix.h"

namespace attn {

/// Σ a_i b_i, added in order. Both of one length; not checked.
double dot(std::span<const double> a, std::span<const double> b) noexcept;

/// Row `row` of a matrix.
std::span<const double> row_of(const Matrix& matrix, Eigen::Index row) noexcept;

/// x · w, every element summed over the inner dimension in order.
///
/// @param x  (n, k)
/// @param w  (k, m)
/// @return   (n, m)
/// @throws std::invalid_argument if the shapes don't fit, a matrix is empty or holds NaN or ±∞
Matrix product(const Matrix& x, const Matrix& w);

}  // namespace attn

// Rotary position embedding of queries and keys (Su et al. 2021, RoFormer).
#pragma once

#include <span>

#include "core/matrix.h"

namespace attn {

/// Checks that there is one whole number for each row of x, with |position| ≤ 2^20. Larger angles
/// would leave the range of attn::sin.
///
/// @throws std::invalid_argument otherwise
void require_positions(const Matrix& x, std::span<const double> positions);

/// Radians by which the pair that begins at `column` of d turns from one position to the next:
/// base^(−column/d).
///
/// @throws std::invalid_argument unless base is finite and greater than 1
double turning_speed(Eigen::Index column, Eigen::Index d, double base);

/// Rotates every row by its position: of the first `rotated` columns, the pair (2i, 2i+1) turns by
/// position · base^(−2i/rotated) radians (equation 34 with i counted from 0). The other columns
/// stay. Products of two rotated rows depend on the difference of their positions only.
///
/// @param x (T, d)
/// @param positions T whole numbers, |position| ≤ 2^20
/// @param rotated even, 0 … d; less than d is a partial rotation
/// @param base greater than 1; 10000 in the paper
/// @return (T, d)
/// @throws std::invalid_argument for other values, or a number that is NaN or infinite
Matrix rotate(const Matrix& x, std::span<const double> positions, int rotated, double base);

}  // namespace attn

// Rotary positions: what a place in the text does to a query or a key (Su et al. 2021, RoFormer).
#pragma once

#include <span>

#include "core/matrix.h"

namespace attn {

/// Rotates every row by its position: of the first `rotated` columns, the pair (2i, 2i+1) turns by
/// position · base^(−2i/rotated) radians (equation 34 with i counted from 0). The other columns
/// stay. Products of two rotated rows depend on the positions by their difference alone.
///
/// @param x (T, d)
/// @param positions T whole numbers, |position| ≤ 2^20, so that angles stay where sin is offered
/// @param rotated even, 0 … d; less than d is a partial rotation
/// @param base greater than 1; 10000 in the paper
/// @return (T, d)
/// @throws std::invalid_argument
Matrix rotate(const Matrix& x, std::span<const double> positions, int rotated, double base);

}  // namespace attn

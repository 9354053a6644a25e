// Sinusoidal position encoding, computed by a formula (Vaswani et al. 2017, section 3.5).
#pragma once

#include <span>
#include <vector>

#include "core/matrix.h"

namespace attn {

/// Adds to each row the encoding of its position p: sin(p · base^(−2i/d)) to column 2i and the
/// cosine of the same angle to column 2i + 1.
///
/// @param x (T, d), d even; zeros give the encodings themselves
/// @param positions T whole numbers, |position| ≤ 2^20
/// @param base greater than 1; 10000 in the paper
/// @return (T, d)
/// @throws std::invalid_argument for other values, or a number that is NaN or infinite
Matrix add_sinusoidal(const Matrix& x, std::span<const double> positions, double base);

/// Positions after which each pair of columns repeats: 2π · base^(2i/d) for i = 0 … d/2 − 1.
///
/// @param d even, at least 2
/// @throws std::invalid_argument for another d or base
std::vector<double> wavelengths(int d, double base);

}  // namespace attn

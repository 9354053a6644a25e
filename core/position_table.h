// Learnt position embedding: a table with one row for each position up to the training length.
#pragma once

#include <span>

#include "core/matrix.h"

namespace attn {

/// Adds to each row of x the table's row of its position.
///
/// @param x (T, d)
/// @param table (places, d)
/// @param positions T whole numbers, 0 … places − 1
/// @return (T, d)
/// @throws std::invalid_argument for other shapes or numbers, or a position outside the table
Matrix add_table_rows(const Matrix& x, const Matrix& table, std::span<const double> positions);

}  // namespace attn

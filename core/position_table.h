// Learnt positions: a table with one row for every place that training has seen.
#pragma once

#include <span>

#include "core/matrix.h"

namespace attn {

/// Adds to every row the table's row of its position.
///
/// @param x (T, d)
/// @param table (places, d)
/// @param positions T whole numbers, 0 … places − 1
/// @return (T, d)
/// @throws std::invalid_argument, also for a position beyond the table: it has no code
Matrix add_table_rows(const Matrix& x, const Matrix& table, std::span<const double> positions);

}  // namespace attn

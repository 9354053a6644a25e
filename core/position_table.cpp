#include "core/position_table.h"

#include <cstddef>

#include "core/check.h"
#include "core/rotary.h"

namespace attn {

Matrix add_table_rows(const Matrix& x, const Matrix& table, std::span<const double> positions) {
  require_positions(x, positions);
  require_finite("table", table);
  if (table.cols() != x.cols()) {
    refuse("table", text_of(x.cols()) + " columns", shape_of(table));
  }
  Matrix result = x;
  for (Eigen::Index t = 0; t < x.rows(); ++t) {
    const double position = positions[static_cast<std::size_t>(t)];
    if (position < 0 || position >= static_cast<double>(table.rows())) {
      refuse(item_of("positions", static_cast<std::size_t>(t)),
             "a row of the table, 0 to " + text_of(table.rows() - 1), text_of(position));
    }
    result.row(t) += table.row(static_cast<Eigen::Index>(position));
  }
  return result;
}

}  // namespace attn

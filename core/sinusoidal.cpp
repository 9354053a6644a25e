#include "core/sinusoidal.h"

#include <cstddef>
#include <numbers>

#include "core/check.h"
#include "core/math.h"
#include "core/rotary.h"

namespace attn {

Matrix add_sinusoidal(const Matrix& x, std::span<const double> positions, double base) {
  require_positions(x, positions);
  if (x.cols() % 2 != 0) refuse("x", "an even number of columns", shape_of(x));
  Matrix result = x;
  for (Eigen::Index column = 0; column < x.cols(); column += 2) {
    const double speed = turning_speed(column, x.cols(), base);
    for (Eigen::Index t = 0; t < x.rows(); ++t) {
      const double angle = positions[static_cast<std::size_t>(t)] * speed;
      result(t, column) += sin(angle);
      result(t, column + 1) += cos(angle);
    }
  }
  return result;
}

std::vector<double> wavelengths(int d, double base) {
  if (d < 2 || d % 2 != 0) refuse("d", "an even number, at least 2", text_of(d));
  std::vector<double> lengths;
  for (int column = 0; column < d; column += 2) {
    lengths.push_back(2 * std::numbers::pi / turning_speed(column, d, base));
  }
  return lengths;
}

}  // namespace attn

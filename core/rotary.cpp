#include "core/rotary.h"

#include <cmath>
#include <cstddef>

#include "core/check.h"
#include "core/math.h"

namespace attn {

void require_positions(const Matrix& x, std::span<const double> positions) {
  constexpr double kFarthest = 1 << 20;
  require_finite("x", x);
  if (positions.size() != static_cast<std::size_t>(x.rows())) {
    refuse("positions", text_of(x.rows()) + " numbers", text_of(positions.size()));
  }
  for (std::size_t t = 0; t < positions.size(); ++t) {
    if (!(std::abs(positions[t]) <= kFarthest) || positions[t] != std::floor(positions[t])) {
      refuse(item_of("positions", t), "a whole number, at most 2^20 from 0", text_of(positions[t]));
    }
  }
}

double turning_speed(Eigen::Index column, Eigen::Index d, double base) {
  if (!(base > 1 && std::isfinite(base))) {
    refuse("base", "a number greater than 1", text_of(base));
  }
  return exp(-static_cast<double>(column) / static_cast<double>(d) * log(base));
}

Matrix rotate(const Matrix& x, std::span<const double> positions, int rotated, double base) {
  require_positions(x, positions);
  if (rotated < 0 || rotated > x.cols() || rotated % 2 != 0) {
    refuse("rotated", "an even number, 0 to " + text_of(x.cols()), text_of(rotated));
  }
  Matrix result = x;
  for (Eigen::Index pair = 0; pair < rotated; pair += 2) {
    const double speed = turning_speed(pair, rotated, base);
    for (Eigen::Index t = 0; t < x.rows(); ++t) {
      const double angle = positions[static_cast<std::size_t>(t)] * speed;
      const double c = cos(angle), s = sin(angle);
      result(t, pair) = c * x(t, pair) - s * x(t, pair + 1);
      result(t, pair + 1) = s * x(t, pair) + c * x(t, pair + 1);
    }
  }
  return result;
}

}  // namespace attn

#include "core/number_format.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace attn {

double rounded(double x, NumberFormat format) noexcept {
  if (x == 0 || !std::isfinite(x)) return x;
  // Numbers of this size lie one step apart; below the normal range the step stays the same.
  const int exponent = std::max(std::ilogb(x), format.min_exponent);
  const double step = std::ldexp(1.0, exponent - format.digits + 1);
  const double nearest = std::nearbyint(x / step) * step;
  if (std::abs(nearest) < std::ldexp(1.0, format.max_exponent + 1)) return nearest;
  return std::copysign(std::numeric_limits<double>::infinity(), x);
}

}  // namespace attn

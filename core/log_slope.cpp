#include "core/log_slope.h"

#include <array>
#include <cmath>
#include <string_view>

#include "core/check.h"
#include "core/math.h"

namespace attn {

double log_slope(double x0, double y0, double x1, double y1) {
  constexpr std::array<std::string_view, 4> kNames = {"x0", "y0", "x1", "y1"};
  const std::array<double, 4> values = {x0, y0, x1, y1};
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (!(values[i] > 0) || std::isinf(values[i])) {
      refuse(kNames[i], "a finite number above 0", text_of(values[i]));
    }
  }
  if (x0 == x1) refuse("x1", "another number than x0", text_of(x1));
  return (log(y1) - log(y0)) / (log(x1) - log(x0));
}

}  // namespace attn

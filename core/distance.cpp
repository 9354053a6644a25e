#include "core/distance.h"

#include <cmath>

#include "core/check.h"

namespace attn {

double distance(std::span<const double> a, std::span<const double> b) {
  require_finite("a", a);
  require_finite("b", b);
  if (b.size() != a.size()) refuse("b", text_of(a.size()) + " numbers", text_of(b.size()));
  double squares = 0;
  for (std::size_t i = 0; i < a.size(); ++i) squares += (a[i] - b[i]) * (a[i] - b[i]);
  return std::sqrt(squares);
}

}  // namespace attn

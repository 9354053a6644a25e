#include "core/cosine.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "core/check.h"
#include "core/product.h"

namespace attn {
namespace {

/// The vector divided by its largest magnitude, so that no square overflows or vanishes.
std::vector<double> rescaled(std::string_view name, std::span<const double> v) {
  require_finite(name, v);
  double largest = 0;
  for (const double x : v) largest = std::max(largest, std::abs(x));
  if (largest == 0) refuse(name, "a vector that is not zero", "only zeros");
  std::vector<double> result;
  for (const double x : v) result.push_back(x / largest);
  return result;
}

}  // namespace

double cosine(std::span<const double> a, std::span<const double> b) {
  const auto u = rescaled("a", a), v = rescaled("b", b);
  if (v.size() != u.size()) {
    refuse("b", text_of(u.size()) + " numbers", text_of(v.size()));
  }
  // One square root of the product, not two: √(x·x) is exactly x.
  return std::clamp(dot(u, v) / std::sqrt(dot(u, u) * dot(v, v)), -1.0, 1.0);
}

}  // namespace attn

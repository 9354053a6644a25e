#include "core/cosine.h"

#include <algorithm>
#include <cmath>
#include <string_view>

#include "core/check.h"
#include "core/matrix.h"

namespace attn {
namespace {

/// The vector divided by its largest magnitude, so that no square overflows or vanishes.
Eigen::VectorXd rescaled(std::string_view name, std::span<const double> values) {
  require_finite(name, values);
  const Eigen::Map<const Eigen::VectorXd> v(values.data(),
                                            static_cast<Eigen::Index>(values.size()));
  const double largest = v.cwiseAbs().maxCoeff();
  if (largest == 0) refuse(name, "a vector that is not zero", "only zeros");
  return v / largest;
}

}  // namespace

double cosine(std::span<const double> a, std::span<const double> b) {
  const Eigen::VectorXd u = rescaled("a", a), v = rescaled("b", b);
  if (v.size() != u.size()) {
    refuse("b", text_of(u.size()) + " numbers", text_of(v.size()));
  }
  // One square root of the product, not two: √(x·x) is exactly x. Adding 0 turns −0 into 0.
  const double likeness = u.dot(v) / std::sqrt(u.squaredNorm() * v.squaredNorm()) + 0.0;
  return std::clamp(likeness, -1.0, 1.0);
}

}  // namespace attn

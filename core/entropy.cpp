#include "core/entropy.h"

#include <algorithm>
#include <string>

#include "core/check.h"
#include "core/math.h"

namespace attn {

double normalized_entropy(std::span<const double> probabilities, int visible) {
  if (visible < 1) refuse("visible", "at least 1", text_of(visible));
  if (visible == 1) return 0;
  double nats = 0;
  for (const double p : probabilities) {
    if (p > 0) nats -= p * log(p);  // p ln p tends to 0
  }
  return std::clamp(nats / log(static_cast<double>(visible)), 0.0, 1.0);
}

}  // namespace attn

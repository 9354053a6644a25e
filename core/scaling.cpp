#include "core/scaling.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "core/check.h"
#include "core/entropy.h"
#include "core/softmax.h"

namespace attn {

std::vector<DivisorRow> compare_divisors(std::span<const double> scores, int d) {
  require_finite("scores", scores);
  if (d < 1) refuse("d", "at least 1", std::to_string(d));
  const double root = std::sqrt(static_cast<double>(d));
  std::vector<DivisorRow> rows;
  for (const double divisor : {1.0, root, static_cast<double>(d)}) {
    std::vector<double> weights;
    for (const double score : scores) weights.push_back(score / divisor);
    softmax_in_place(weights);
    const double largest = *std::max_element(weights.begin(), weights.end());
    const double entropy = normalized_entropy(weights, static_cast<int>(weights.size()));
    rows.push_back({divisor, std::move(weights), largest, entropy, root / divisor});
  }
  return rows;
}

}  // namespace attn

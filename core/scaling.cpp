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
  if (d < 1) refuse("d", "at least 1", text_of(d));
  const double root = std::sqrt(static_cast<double>(d));
  std::vector<DivisorRow> rows(3);
  rows[0].divisor = 1;
  rows[1].divisor = root;
  rows[2].divisor = d;
  for (DivisorRow& row : rows) {
    row.weights.assign(scores.begin(), scores.end());
    for (double& weight : row.weights) weight /= row.divisor;
    softmax_in_place(row.weights);
    row.max_weight = *std::max_element(row.weights.begin(), row.weights.end());
    row.entropy = normalized_entropy(row.weights, static_cast<int>(scores.size()));
    row.std = root / row.divisor;
  }
  return rows;
}

}  // namespace attn

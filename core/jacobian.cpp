#include "core/jacobian.h"

#include <cmath>
#include <string>

#include "core/check.h"

namespace attn {
namespace {

void require_probabilities(std::span<const double> probabilities) {
  require_finite("probabilities", probabilities);
  double sum = 0;
  for (std::size_t i = 0; i < probabilities.size(); ++i) {
    if (probabilities[i] < 0) {
      refuse(item_of("probabilities", i), "0 or more", text_of(probabilities[i]));
    }
    sum += probabilities[i];
  }
  if (std::abs(sum - 1) > 1e-6) refuse("probabilities", "a sum of 1", text_of(sum));
}

}  // namespace

Jacobian softmax_jacobian(std::span<const double> probabilities) {
  require_probabilities(probabilities);
  const auto n = static_cast<Eigen::Index>(probabilities.size());
  Jacobian result{Matrix(n, n), {}, softmax_jacobian_norm(probabilities)};
  for (Eigen::Index i = 0; i < n; ++i) {
    const double p_i = probabilities[static_cast<std::size_t>(i)];
    double sum = 0;
    for (Eigen::Index j = 0; j < n; ++j) {
      const double p_j = probabilities[static_cast<std::size_t>(j)];
      result.matrix(i, j) = i == j ? p_i * (1 - p_i) : 0 - p_i * p_j;  // 0 − 0, never −0
      sum += result.matrix(i, j);
    }
    result.row_sums.push_back(sum);
  }
  return result;
}

double softmax_jacobian_norm(std::span<const double> probabilities) noexcept {
  double diagonal = 0, pairs = 0, squares = 0;
  for (const double p : probabilities) {
    const double square = p * p;
    diagonal += square * (1 - p) * (1 - p);
    pairs += square * squares;
    squares += square;
  }
  return std::sqrt(diagonal + 2 * pairs);
}

}  // namespace attn

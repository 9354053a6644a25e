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
  const Eigen::Map<const Eigen::VectorXd> p(probabilities.data(),
                                            static_cast<Eigen::Index>(probabilities.size()));
  Jacobian result;
  // 0 − 0 is 0, where −(0 · 0) would be −0.
  result.matrix = Matrix::Zero(p.size(), p.size()) - p.lazyProduct(p.transpose());
  result.matrix.diagonal() = p.array() * (1 - p.array());  // p − p² loses digits near p = 1
  for (Eigen::Index i = 0; i < p.size(); ++i) result.row_sums.push_back(result.matrix.row(i).sum());
  result.norm = softmax_jacobian_norm(probabilities);
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

#include "core/row_weights.h"

#include <cmath>

#include "core/check.h"
#include "core/softmax.h"

namespace attn {

std::vector<std::optional<double>> row_weights(std::span<const double> products, AttentionKind kind,
                                               int d) {
  if (d < 1) refuse("d", "at least 1", text_of(d));
  require_finite("products", products);
  const double root = std::sqrt(d);
  std::vector<double> scores(products.begin(), products.end());
  WeighOptions options;
  options.temperature = root;
  double divisor_after = 1;
  switch (kind) {
    case AttentionKind::kScaled:
      break;
    case AttentionKind::kUnscaled:
      options.temperature = 1;
      break;
    case AttentionKind::kHiddenAsZero:
      scores.push_back(0);
      break;
    case AttentionKind::kScaledAfterSoftmax:
      options.temperature = 1;
      divisor_after = root;
      break;
    case AttentionKind::kNoMaxSubtraction:
      options.precision = Precision::kFloat32;
      options.stable = false;
      break;
    case AttentionKind::kDividedByWidth:
      options.temperature = d;
      break;
  }
  std::vector<std::optional<double>> weights;
  for (const Entry& weight : weigh(scores, options).weights) {
    const bool is_number = weight.status == Status::kOk;
    weights.push_back(is_number ? std::optional(weight.value / divisor_after) : std::nullopt);
  }
  if (weights.size() == products.size()) weights.push_back(0.0);
  return weights;
}

}  // namespace attn

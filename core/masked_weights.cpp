#include "core/masked_weights.h"

#include <limits>
#include <span>

#include "core/check.h"
#include "core/mask.h"
#include "core/number_format.h"
#include "core/softmax.h"

namespace attn {
namespace {

constexpr double kVeryNegative = -1e9;

double in_bfloat16(double x) { return rounded(x, kBfloat16); }

/// What enters softmax in one place; NaN where the arithmetic of the format gives none.
double entering(double score, bool visible, Masking masking) {
  switch (masking) {
    case Masking::kInfinity:
      return visible ? score : kHidden;
    case Masking::kZero:
      return visible ? score : 0;
    case Masking::kAfter:
      return score;
    case Masking::kConstant:
      return in_bfloat16(in_bfloat16(score) + (visible ? 0 : in_bfloat16(kVeryNegative)));
    default:
      return rounded(score, kFloat16) + (visible ? 0.0 : 1.0) * rounded(kVeryNegative, kFloat16);
  }
}

/// Softmax needs one finite score, and neither NaN nor +∞.
bool can_weigh(std::span<const double> row) {
  bool finite = false;
  for (const double score : row) {
    if (!(score < std::numeric_limits<double>::infinity())) return false;
    finite = finite || score != kHidden;
  }
  return finite;
}

}  // namespace

MaskedTrace masked_weights(const Matrix& scores, const Matrix& mask, Masking masking,
                           EmptyRow empty_row) {
  require_finite("scores", scores);
  const Eigen::Index t = scores.rows();
  if (scores.cols() != t) refuse("scores", shape_of(t, t), shape_of(scores));
  require_mask_entries(mask, t, t);

  MaskedTrace trace;
  trace.scores = Matrix::Zero(t, t);
  trace.weights = Matrix::Zero(t, t);
  for (Eigen::Index i = 0; i < t; ++i) {
    const int visible = visible_keys(mask, i);
    const bool empty = visible == 0 && masking == Masking::kInfinity;
    for (Eigen::Index j = 0; j < t; ++j) {
      trace.scores(i, j) = entering(scores(i, j), mask(i, j) == 0, masking);
    }
    if (empty && empty_row == EmptyRow::kSelf) trace.scores(i, i) = scores(i, i);
    if (empty && empty_row == EmptyRow::kMean) trace.scores.row(i).setZero();

    trace.weights.row(i) = trace.scores.row(i);
    const std::span weights(trace.weights.row(i).data(), static_cast<std::size_t>(t));
    const bool nothing = empty && empty_row == EmptyRow::kZero;
    const bool defined = nothing || can_weigh(weights);
    if (nothing || !defined) {
      trace.weights.row(i).setZero();
    } else {
      softmax_in_place(weights);
    }
    if (!defined) trace.scores.row(i).setZero();

    double sum = 0;
    double hidden = 0;
    for (Eigen::Index j = 0; j < t; ++j) {
      double& weight = trace.weights(i, j);
      if (masking == Masking::kAfter && mask(i, j) != 0) weight = 0;
      sum += weight;
      if (mask(i, j) != 0) hidden += weight;
    }
    trace.visible.push_back(visible);
    trace.defined.push_back(defined);
    trace.row_sums.push_back(sum);
    trace.hidden_shares.push_back(hidden);
  }
  return trace;
}

}  // namespace attn

#include "core/masked_weights.h"

#include <algorithm>
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

/// The score that enters softmax for one pair; NaN where the arithmetic of the format gives NaN.
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

/// Writes the softmax of a row over zeros. A row without a finite score, or with NaN or +∞, is
/// marked as undefined and keeps zeros.
void weigh_row(MaskedRow& row, std::span<double> scores, std::span<double> weights) {
  bool any = false;
  for (const double score : scores) {
    any = any || score > kHidden;
    row.defined = row.defined && score < std::numeric_limits<double>::infinity();
  }
  row.defined = row.defined && any;
  if (row.defined) {
    std::copy(scores.begin(), scores.end(), weights.begin());
    softmax_in_place(weights);
  } else {
    std::fill(scores.begin(), scores.end(), 0.0);
  }
}

}  // namespace

MaskedTrace masked_weights(const Matrix& scores, const Matrix& mask, Masking masking,
                           EmptyRow empty_row) {
  require_finite("scores", scores);
  const Eigen::Index t = scores.rows();
  if (scores.cols() != t) refuse("scores", shape_of(t, t), shape_of(scores));
  require_mask_entries(mask, t, t);

  MaskedTrace trace{scores, Matrix::Zero(t, t),
                    std::vector<MaskedRow>(static_cast<std::size_t>(t))};
  for (Eigen::Index i = 0; i < t; ++i) {
    MaskedRow& row = trace.rows[static_cast<std::size_t>(i)];
    const std::span entering_row = row_of(trace.scores, i);
    const std::span weights = row_of(trace.weights, i);
    row.visible = visible_keys(mask, i);
    const bool empty = row.visible == 0 && masking == Masking::kInfinity;
    for (Eigen::Index j = 0; j < t; ++j) {
      const bool shown = mask(i, j) == 0 || (empty && empty_row == EmptyRow::kSelf && i == j);
      double& score = entering_row[static_cast<std::size_t>(j)];
      score = empty && empty_row == EmptyRow::kMean ? 0 : entering(score, shown, masking);
    }
    if (!empty || empty_row != EmptyRow::kZero) weigh_row(row, entering_row, weights);

    for (Eigen::Index j = 0; j < t; ++j) {
      double& weight = trace.weights(i, j);
      const bool hidden = mask(i, j) != 0;
      if (masking == Masking::kAfter && hidden) weight = 0;
      row.sum += weight;
      if (hidden) row.hidden_share += weight;
    }
  }
  return trace;
}

}  // namespace attn

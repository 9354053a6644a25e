#include "core/mask.h"

#include "core/check.h"

namespace attn {

Matrix no_mask(Eigen::Index t_q, Eigen::Index t_k) { return Matrix::Zero(t_q, t_k); }

// listing: causal-mask
Matrix causal_mask(Eigen::Index t) {
  Matrix mask = Matrix::Zero(t, t);
  mask.triangularView<Eigen::StrictlyUpper>().setConstant(kHidden);
  return mask;
}
// end

Matrix self_mask(Eigen::Index t) {
  Matrix mask = Matrix::Constant(t, t, kHidden);
  mask.diagonal().setZero();
  return mask;
}

Matrix past_mask(const PastRules& rules) {
  const auto t = static_cast<Eigen::Index>(rules.sequence.size());
  if (t == 0) refuse("sequence", "at least one position", "none");
  if (rules.window < 1) refuse("window", "at least 1", text_of(rules.window));
  const auto sees = [&](Eigen::Index i, Eigen::Index j) {
    const int query = rules.sequence[static_cast<std::size_t>(i)];
    const int key = rules.sequence[static_cast<std::size_t>(j)];
    return j <= i && i - j < rules.window && key != kPadding &&
           (rules.padding_asks || query != kPadding) && (!rules.inside_sequence || key == query);
  };
  Matrix mask(t, t);
  for (Eigen::Index i = 0; i < t; ++i) {
    for (Eigen::Index j = 0; j < t; ++j) mask(i, j) = sees(i, j) != rules.inverted ? 0 : kHidden;
  }
  return mask;
}

int visible_keys(const Matrix& mask, Eigen::Index row) noexcept {
  return static_cast<int>((mask.row(row).array() == 0).count());
}

void require_mask_entries(const Matrix& mask, Eigen::Index t_q, Eigen::Index t_k) {
  if (mask.rows() != t_q || mask.cols() != t_k) refuse("mask", shape_of(t_q, t_k), shape_of(mask));
  for (Eigen::Index row = 0; row < t_q; ++row) {
    for (Eigen::Index key = 0; key < t_k; ++key) {
      if (mask(row, key) != 0 && mask(row, key) != kHidden) {
        refuse("mask" + shape_of(row, key), "0 or -Infinity", text_of(mask(row, key)));
      }
    }
  }
}

void require_mask(const Matrix& mask, Eigen::Index t_q, Eigen::Index t_k) {
  require_mask_entries(mask, t_q, t_k);
  for (Eigen::Index row = 0; row < t_q; ++row) {
    if (visible_keys(mask, row) == 0) {
      refuse("mask, row " + text_of(row), "at least one visible key", "none");
    }
  }
}

}  // namespace attn

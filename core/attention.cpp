#include "core/attention.h"

#include <cmath>
#include <span>

#include "core/check.h"
#include "core/entropy.h"
#include "core/mask.h"
#include "core/product.h"
#include "core/softmax.h"

namespace attn {
namespace {

Matrix scores_of(const Matrix& q, const Matrix& k, bool scaled) {
  const double divisor = scaled ? std::sqrt(static_cast<double>(k.cols())) : 1;
  Matrix scores(q.rows(), k.rows());
  for (Eigen::Index i = 0; i < q.rows(); ++i) {
    for (Eigen::Index j = 0; j < k.rows(); ++j) {
      scores(i, j) = dot(row_of(q, i), row_of(k, j)) / divisor;
    }
  }
  return scores;
}

}  // namespace

AttentionTrace attention(const Matrix& q, const Matrix& k, const Matrix& v, const Matrix& mask,
                         bool scaled) {
  require_finite("q", q);
  require_finite("k", k);
  require_finite("v", v);
  if (k.cols() != q.cols()) refuse("k", shape_of(k.rows(), q.cols()), shape_of(k));
  if (v.rows() != k.rows()) refuse("v", shape_of(k.rows(), v.cols()), shape_of(v));
  require_mask(mask, q.rows(), k.rows());

  AttentionTrace trace;
  trace.scores = scores_of(q, k, scaled);
  trace.weights = trace.scores + mask;
  for (Eigen::Index row = 0; row < q.rows(); ++row) {
    const std::span weights(trace.weights.row(row).data(), static_cast<std::size_t>(k.rows()));
    softmax_in_place(weights);
    trace.entropy.push_back(normalized_entropy(weights, visible_keys(mask, row)));
  }
  trace.output = product(trace.weights, v);
  return trace;
}

}  // namespace attn

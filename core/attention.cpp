#include "core/attention.h"

#include <cmath>
#include <span>

#include "core/check.h"
#include "core/entropy.h"
#include "core/mask.h"
#include "core/product.h"
#include "core/softmax.h"

namespace attn {

// listing: attention
AttentionTrace attention(const Matrix& q, const Matrix& k, const Matrix& v, const Matrix& mask,
                         bool scaled) {
  require_finite("q", q);
  require_finite("k", k);
  require_finite("v", v);
  if (k.cols() != q.cols()) refuse("k", shape_of(k.rows(), q.cols()), shape_of(k));
  if (v.rows() != k.rows()) refuse("v", shape_of(k.rows(), v.cols()), shape_of(v));
  require_mask(mask, q.rows(), k.rows());

  AttentionTrace trace;
  const double divisor = scaled ? std::sqrt(static_cast<double>(k.cols())) : 1;
  trace.scores = product(q, k.transpose()) / divisor;
  trace.weights = trace.scores + mask;
  for (Eigen::Index row = 0; row < q.rows(); ++row) {
    const std::span weights = row_of(trace.weights, row);
    softmax_in_place(weights);
    trace.entropy.push_back(normalized_entropy(weights, visible_keys(mask, row)));
  }
  trace.output = product(trace.weights, v);
  return trace;
}
// end

}  // namespace attn

#include "core/backward.h"

#include <cmath>

#include "core/check.h"
#include "core/product.h"

namespace attn {

BackwardTrace attention_backward(const Matrix& q, const Matrix& k, const Matrix& v,
                                 const Matrix& mask, bool scaled, const Matrix& d_output) {
  BackwardTrace trace;
  trace.forward = attention(q, k, v, mask, scaled);
  require_finite("d_output", d_output);
  if (d_output.rows() != q.rows() || d_output.cols() != v.cols()) {
    refuse("d_output", shape_of(q.rows(), v.cols()), shape_of(d_output));
  }
  const Matrix& weights = trace.forward.weights;
  const double divisor = scaled ? std::sqrt(static_cast<double>(k.cols())) : 1;

  trace.d_values = product(weights.transpose(), d_output);
  trace.d_weights = product(d_output, v.transpose());
  trace.row_dots = row_products(trace.d_weights, weights);
  const Eigen::Map<const Eigen::VectorXd> dots(trace.row_dots.data(), q.rows());
  trace.d_scores = weights.cwiseProduct(trace.d_weights.colwise() - dots);
  trace.d_queries = product(trace.d_scores, k) / divisor;
  trace.d_keys = product(trace.d_scores.transpose(), q) / divisor;
  return trace;
}

}  // namespace attn

#include "core/backward.h"

#include <cmath>

#include "core/check.h"
#include "core/product.h"

namespace attn {

BackwardTrace attention_backward(const Matrix& q, const Matrix& k, const Matrix& v,
                                 const Matrix& mask, bool scaled, const Matrix& d_output,
                                 LeftOut left_out) {
  BackwardTrace trace;
  trace.forward = attention(q, k, v, mask, scaled);
  require_finite("d_output", d_output);
  if (d_output.rows() != q.rows() || d_output.cols() != v.cols()) {
    refuse("d_output", shape_of(q.rows(), v.cols()), shape_of(d_output));
  }
  const Matrix& weights = trace.forward.weights;
  const bool divided = scaled && left_out != LeftOut::kScale;
  const double divisor = divided ? std::sqrt(static_cast<double>(k.cols())) : 1;

  trace.d_values = product(weights.transpose(), d_output);
  trace.d_weights = product(d_output, v.transpose());
  trace.row_dots = row_products(trace.d_weights, weights);
  Eigen::VectorXd taken = Eigen::Map<const Eigen::VectorXd>(trace.row_dots.data(), q.rows());
  if (left_out == LeftOut::kMean) taken.setZero();
  trace.d_scores = weights.cwiseProduct(trace.d_weights.colwise() - taken);
  trace.d_queries = product(trace.d_scores, k) / divisor;
  trace.d_keys = product(trace.d_scores.transpose(), q) / divisor;
  return trace;
}

GradientCheck check_gradients(const Matrix& q, const Matrix& k, const Matrix& v, const Matrix& mask,
                              bool scaled, const Matrix& d_output, const BackwardTrace& trace) {
  GradientCheck check;
  check.step = 1e-5;
  check.tolerance = 1e-6;
  Matrix inputs[] = {q, k, v};
  const auto loss = [&] {
    const Matrix output = attention(inputs[0], inputs[1], inputs[2], mask, scaled).output;
    double sum = 0;
    for (Eigen::Index i = 0; i < output.size(); ++i) sum += output.data()[i] * d_output.data()[i];
    return sum;
  };
  const auto measured = [&](Matrix& x) {
    Matrix gradient(x.rows(), x.cols());
    for (Eigen::Index i = 0; i < x.size(); ++i) {
      const double kept = x.data()[i];
      x.data()[i] = kept + check.step;
      const double above = loss();
      x.data()[i] = kept - check.step;
      gradient.data()[i] = (above - loss()) / (2 * check.step);
      x.data()[i] = kept;
    }
    return gradient;
  };
  const auto error = [](const Matrix& formula, const Matrix& difference) {
    return (formula - difference).cwiseAbs().maxCoeff();
  };
  check.d_queries = measured(inputs[0]);
  check.d_keys = measured(inputs[1]);
  check.d_values = measured(inputs[2]);
  check.queries_error = error(trace.d_queries, check.d_queries);
  check.keys_error = error(trace.d_keys, check.d_keys);
  check.values_error = error(trace.d_values, check.d_values);
  return check;
}

}  // namespace attn

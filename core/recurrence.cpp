#include "core/recurrence.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/check.h"
#include "core/math.h"
#include "core/product.h"

namespace attn {
namespace {

/// Below the normal range a product with 0.9 may round back to itself for ever.
double or_nothing(double share) { return share < std::numeric_limits<double>::min() ? 0 : share; }

/// Frobenius norm; the largest element is divided out, so that squares of tiny ones don't vanish.
double norm(const Matrix& matrix) {
  const double largest = matrix.cwiseAbs().maxCoeff();
  return largest == 0 ? 0 : largest * std::sqrt((matrix / largest).squaredNorm());
}

}  // namespace

Recurrence recurrence(const Matrix& x, const Matrix& w_x, const Matrix& w_h) {
  require_finite("w_h", w_h);
  if (w_h.rows() != w_h.cols()) refuse("w_h", "a square matrix", shape_of(w_h));
  if (w_x.cols() != w_h.rows()) {
    refuse("w_x", shape_of(x.cols(), w_h.rows()), shape_of(w_x));
  }
  const Matrix inputs = product(x, w_x);
  const Eigen::Index width = w_h.rows();
  Recurrence result{Matrix(x.rows(), width), {}};
  Matrix state = Matrix::Zero(1, width);
  Matrix change = Matrix::Identity(width, width);  // ∂h_t/∂h_1
  for (Eigen::Index t = 0; t < x.rows(); ++t) {
    state = inputs.row(t) + product(state, w_h);
    for (double& h : state.reshaped()) h = tanh(h);
    if (t > 0) {
      const Eigen::RowVectorXd slope = 1 - state.row(0).array().square();
      change = product(change, w_h) * slope.asDiagonal();
    }
    result.states.row(t) = state;
    result.reach.push_back(or_nothing(norm(change) / std::sqrt(static_cast<double>(width))));
  }
  return result;
}

SerialCost serial_cost(int length, double keep) {
  if (length < 1) refuse("length", "at least 1", text_of(length));
  if (!(keep >= 0 && keep <= 1)) refuse("keep", "a number from 0 to 1", text_of(keep));
  double left = 1;
  for (int update = 1; update < length; ++update) left = or_nothing(left * keep);
  return {length, length - 1, left};
}

}  // namespace attn

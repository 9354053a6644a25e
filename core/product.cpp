#include "core/product.h"

#include <cmath>

#include "core/check.h"

namespace attn {

Matrix product(const Matrix& x, const Matrix& w) {
  require_finite("x", x);
  require_finite("w", w);
  if (w.rows() != x.cols()) refuse("w", shape_of(x.cols(), w.cols()), shape_of(w));
  Matrix y = Matrix::Zero(x.rows(), w.cols());
  for (Eigen::Index i = 0; i < x.rows(); ++i) {
    auto row = y.row(i);
    Eigen::Index k = 0;
    // C++ adds from left to right, so four steps at a time keep the order and save three of four
    // passes over the row.
    for (; k + 4 <= x.cols(); k += 4) {
      row = row + x(i, k) * w.row(k) + x(i, k + 1) * w.row(k + 1) + x(i, k + 2) * w.row(k + 2) +
            x(i, k + 3) * w.row(k + 3);
    }
    for (; k < x.cols(); ++k) row += x(i, k) * w.row(k);
  }
  return y;
}

std::vector<double> row_products(const Matrix& q, const Matrix& k) {
  require_finite("q", q);
  require_finite("k", k);
  if (k.rows() != q.rows() || k.cols() != q.cols()) refuse("k", shape_of(q), shape_of(k));
  // Adding 0 turns a sum of −0 into 0, as in `product`.
  const Eigen::ArrayXd sums = q.cwiseProduct(k).rowwise().sum().array() + 0.0;
  return {sums.begin(), sums.end()};
}

std::vector<double> row_scores(const Matrix& q, const Matrix& k, int d) {
  if (d < 1) refuse("d", "at least 1", text_of(d));
  std::vector<double> scores = row_products(q, k);
  for (double& score : scores) score /= std::sqrt(d);
  return scores;
}

}  // namespace attn

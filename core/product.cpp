#include "core/product.h"

#include "core/check.h"

namespace attn {

double dot(std::span<const double> a, std::span<const double> b) noexcept {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

std::span<const double> row_of(const Matrix& matrix, Eigen::Index row) noexcept {
  return {matrix.data() + row * matrix.cols(), static_cast<std::size_t>(matrix.cols())};
}

Matrix product(const Matrix& x, const Matrix& w) {
  require_finite("x", x);
  require_finite("w", w);
  if (w.rows() != x.cols()) {
    refuse("w", shape_of(x.cols(), w.cols()), shape_of(w));
  }
  Matrix y = Matrix::Zero(x.rows(), w.cols());
  const Eigen::Index inner = x.cols(), cols = w.cols();
  for (Eigen::Index i = 0; i < x.rows(); ++i) {
    double* out = y.data() + i * cols;
    Eigen::Index k = 0;
    // Four steps of every element's sum at a time, still in order: fewer trips to memory.
    for (; k + 4 <= inner; k += 4) {
      const double a0 = x(i, k), a1 = x(i, k + 1), a2 = x(i, k + 2), a3 = x(i, k + 3);
      const double* w0 = w.data() + k * cols;
      const double *w1 = w0 + cols, *w2 = w1 + cols, *w3 = w2 + cols;
      for (Eigen::Index j = 0; j < cols; ++j) {
        out[j] = (((out[j] + a0 * w0[j]) + a1 * w1[j]) + a2 * w2[j]) + a3 * w3[j];
      }
    }
    for (; k < inner; ++k) {
      for (Eigen::Index j = 0; j < cols; ++j) out[j] += x(i, k) * w(k, j);
    }
  }
  return y;
}

}  // namespace attn

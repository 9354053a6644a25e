// The matrix of the whole core: dense, double, row-major.
#pragma once

#include <Eigen/Core>
#include <cstddef>
#include <span>

namespace attn {

/// One row per token wherever rows are tokens.
using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

/// The numbers of one row, for functions that work on a list.
inline std::span<double> row_of(Matrix& matrix, Eigen::Index row) noexcept {
  return {matrix.data() + row * matrix.cols(), static_cast<std::size_t>(matrix.cols())};
}
inline std::span<const double> row_of(const Matrix& matrix, Eigen::Index row) noexcept {
  return {matrix.data() + row * matrix.cols(), static_cast<std::size_t>(matrix.cols())};
}

}  // namespace attn

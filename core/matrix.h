// The matrix of the whole core: dense, double, row-major.
#pragma once

#include <Eigen/Core>

namespace attn {

/// One row per token wherever rows are tokens.
using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

}  // namespace attn

#include "core/programs/eigen_product.h"

#include <Eigen/Core>

namespace attn {

void eigen_product(int m, int n, int k, const float* a, const float* b, float* c) {
  using Rows = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  Eigen::Map<Rows>(c, m, n).noalias() =
      Eigen::Map<const Rows>(a, m, k) * Eigen::Map<const Rows>(b, k, n);
}

}  // namespace attn

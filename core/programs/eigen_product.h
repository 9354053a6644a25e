// Eigen's matrix product, for comparison of speed.
#pragma once

namespace attn {

/// c (m, n) = a (m, k) · b (k, n), row-major.
void eigen_product(int m, int n, int k, const float* a, const float* b, float* c);

}  // namespace attn

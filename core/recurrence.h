// A recurrent network, and the influence of its first state on later ones.
#pragma once

#include <vector>

#include "core/matrix.h"

namespace attn {

struct Recurrence {
  Matrix states;              // (T, d_h)  h_t, one row a step
  std::vector<double> reach;  // (T)  ‖∂h_t/∂h_1‖ ÷ √d_h: 1 at the first step
};

/// h_t = tanh(x_t W_x + h_{t−1} W_h), h_0 = 0, for every row x_t.
///
/// `reach` is the influence of the first state on the t-th: the Frobenius norm of
/// ∂h_t/∂h_1 = W_h D_2 ⋯ W_h D_t with D_t = diag(1 − h_t²), divided by that of the identity. It is
/// at most (largest singular value of W_h)^(t−1), since 0 < 1 − h² ≤ 1. Below 2.2e-308 it is 0.
///
/// @param x    (T, d_x)
/// @param w_x  (d_x, d_h)
/// @param w_h  (d_h, d_h)
/// @throws std::invalid_argument if shapes don't fit, or something is empty, NaN or infinite
/// Source: Elman 1990, "Finding Structure in Time"; Pascanu et al. 2013, equations (5) and (6).
Recurrence recurrence(const Matrix& x, const Matrix& w_x, const Matrix& w_h);

/// The cost of reading T tokens one after the other, in one layer.
struct SerialCost {
  int steps;    // steps that each need the one before: T
  int updates;  // updates of the state after the first token: T − 1
  double left;  // share of the first token that is left: keep^(T−1); below 2.2e-308 it is 0
};

/// @param length  T, at least 1
/// @param keep    share that each update keeps, 0 … 1
/// @throws std::invalid_argument for anything else
SerialCost serial_cost(int length, double keep);

}  // namespace attn

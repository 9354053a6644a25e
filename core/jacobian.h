// The Jacobian of softmax: the derivative of each probability by each score.
#pragma once

#include <span>
#include <vector>

#include "core/matrix.h"

namespace attn {

struct Jacobian {
  Matrix matrix;  // (n, n)  ∂p_i/∂z_j = p_i (δ_ij − p_j)
  // (n)  0 up to rounding: a constant added to all scores changes nothing
  std::vector<double> row_sums;
  double norm;  // Frobenius norm, 0 … ½
};

/// diag(p) − p pᵀ for p = softmax(z).
///
/// @param probabilities  (n) each ≥ 0, summing to 1 within 1e−6
/// @throws std::invalid_argument for anything else
Jacobian softmax_jacobian(std::span<const double> probabilities);

/// Its Frobenius norm √(Σp² − 2Σp³ + (Σp²)²) without the matrix, as
/// √(Σ p_i² (1 − p_i)² + 2 Σ_{i<j} p_i² p_j²), which has no cancellation near one-hot.
///
/// @param probabilities  (n) each ≥ 0, summing to 1; not checked
double softmax_jacobian_norm(std::span<const double> probabilities) noexcept;

}  // namespace attn

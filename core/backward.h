// The backward pass of attention, with every intermediate gradient.
#pragma once

#include <array>
#include <string_view>

#include "core/attention.h"
#include "core/names.h"

namespace attn {

/// A term that a mistaken way back forgets: the mean in dS, or the division by √d_k in dQ and dK.
enum class LeftOut { kNothing, kMean, kScale };

template <>
inline constexpr std::array<std::string_view, 3> names<LeftOut> = {"nothing", "mean", "scale"};

/// Gradients of a loss L, in the order in which they are computed. dX stands for ∂L/∂X.
struct BackwardTrace {
  AttentionTrace forward;
  Matrix d_values;               // (T_k, d_v)  dV = Pᵀ dO
  Matrix d_weights;              // (T_q, T_k)  dP = dO Vᵀ
  std::vector<double> row_dots;  // (T_q)  Σ_j dP_ij P_ij, the mean of dP_i under the weights
  Matrix d_scores;               // (T_q, T_k)  dS_ij = P_ij (dP_ij − row_dots_i); a row sums to 0
  Matrix d_queries;              // (T_q, d_k)  dQ = dS K ÷ √d_k, the division where scaled
  Matrix d_keys;                 // (T_k, d_k)  dK = dSᵀ Q ÷ √d_k
};

/// The gradients of attention(q, k, v, mask, scaled) for a given gradient of its output.
///
/// The subtraction in dS is the effect of normalisation: the weights of a row sum to 1, so only
/// differences of dP from their weighted mean change them. A hidden pair has weight 0 and gradient
/// 0.
///
/// @param q, k, v, mask, scaled  as in `attention`
/// @param d_output  (T_q, d_v)  ∂L/∂output
/// @param left_out  for a lesson: the gradients are then wrong
/// @throws std::invalid_argument as `attention`, or for another shape of d_output or a number in it
///         that is NaN or infinite
/// Source: Dao et al. 2022, "FlashAttention", appendix B.2.
BackwardTrace attention_backward(const Matrix& q, const Matrix& k, const Matrix& v,
                                 const Matrix& mask, bool scaled, const Matrix& d_output,
                                 LeftOut left_out = LeftOut::kNothing);

/// Gradients measured by changing each number of Q, K and V a little, and their distance from those
/// of a formula.
struct GradientCheck {
  Matrix d_queries, d_keys, d_values;  // (L(x + step) − L(x − step)) ÷ (2 · step)
  double queries_error = 0, keys_error = 0, values_error = 0;  // largest |formula − measured|
  double step = 0;
  double tolerance = 0;
};

/// Central differences of L = Σ d_output ∘ attention(q, k, v).output, without the backward
/// formulas.
///
/// The tolerance holds for up to 4 × 4 numbers of at most 4: the truncated term step² L‴ ÷ 6 and
/// the rounding of L, about 1e−13 ÷ step, both stay below 1e−7.
///
/// @param trace  the gradients to compare, of the same arguments
/// @throws std::invalid_argument as `attention_backward`
GradientCheck check_gradients(const Matrix& q, const Matrix& k, const Matrix& v, const Matrix& mask,
                              bool scaled, const Matrix& d_output, const BackwardTrace& trace);

}  // namespace attn

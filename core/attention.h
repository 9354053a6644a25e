// Scaled dot-product attention for one head, written the way the formula reads.
#pragma once

#include <vector>

#include "core/matrix.h"

namespace attn {

/// Every intermediate a lesson may want to show for one head.
struct AttentionTrace {
  Matrix scores;                // (T_q, T_k)  Q Kᵀ, ÷ √d_k where scaled, before the mask
  Matrix weights;               // (T_q, T_k)  row-wise softmax of scores + mask
  Matrix output;                // (T_q, d_v)  weights · V
  std::vector<double> entropy;  // (T_q)  of each row of weights, ÷ ln(visible keys)
};

/// Attention(Q, K, V) = softmax(Q Kᵀ / √d_k + mask) V.
///
/// @param q       (T_q, d_k) queries, one row per token
/// @param k       (T_k, d_k) keys
/// @param v       (T_k, d_v) values
/// @param mask    (T_q, T_k) added to the scores: 0 keeps a pair, kHidden hides it
/// @param scaled  whether the scores are divided by √d_k
/// @return each row of `weights` sums to 1; a hidden pair has weight exactly 0
/// @throws std::invalid_argument if shapes disagree, a number is NaN or infinite, or some query may
///         see no key
/// Source: Vaswani et al. 2017, "Attention Is All You Need", eq. (1), section 3.2.1.
AttentionTrace attention(const Matrix& q, const Matrix& k, const Matrix& v, const Matrix& mask,
                         bool scaled);

}  // namespace attn

// Several heads from one set of projections, cut by columns.
#pragma once

#include <vector>

#include "core/attention.h"

namespace attn {

struct MultiHeadTrace {
  std::vector<AttentionTrace> heads;
  Matrix output;  // (T_q, d_v) the heads' outputs side by side, before W_O
};

/// Head h attends with its own columns of q, k and v: width d_k ÷ heads for scores, d_v ÷ heads for
/// values. Cutting changes neither the parameters nor the multiplications of the projections.
///
/// @param q      (T_q, d_k)
/// @param k      (T_k, d_k)
/// @param v      (T_k, d_v)
/// @param mask   (T_q, T_k), shared by the heads
/// @param heads  divides d_k and d_v
/// @throws std::invalid_argument as `attention`, or if `heads` does not divide
/// Source: Vaswani et al. 2017, section 3.2.2.
MultiHeadTrace multi_head_attention(const Matrix& q, const Matrix& k, const Matrix& v,
                                    const Matrix& mask, int heads, bool scaled);

}  // namespace attn

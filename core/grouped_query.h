// Query heads in groups, each group with one set of keys and values.
#pragma once

#include "core/multi_head.h"

namespace attn {

/// The mean of the heads of each group: how a model of many key-value heads becomes one of few
/// before it is trained on.
///
/// @param kept    (T, heads · width) keys or values, a head each `width` columns
/// @param groups  divides `heads`
/// @return (T, groups · width)
/// @throws std::invalid_argument for other groups or columns, or a number that is NaN or infinite
/// Source: Ainslie et al. 2023, "GQA", section 2.1.
Matrix pool_heads(const Matrix& kept, int heads, int groups);

/// Neighbouring query heads, heads ÷ groups of them, attend with the same keys and values: as many
/// groups as heads is multi-head attention, one group multi-query attention.
///
/// @param q     (T_q, heads · d_k)
/// @param k     (T_k, groups · d_k)
/// @param v     (T_k, groups · d_v)
/// @param mask  (T_q, T_k), shared by the heads
/// @return `output` is (T_q, heads · d_v)
/// @throws std::invalid_argument as `attention`, or if a width or a number of heads does not divide
/// Sources: Shazeer 2019, "Fast Transformer Decoding"; Ainslie et al. 2023, section 2.2.
MultiHeadTrace grouped_query_attention(const Matrix& q, const Matrix& k, const Matrix& v,
                                       const Matrix& mask, int heads, int groups, bool scaled);

}  // namespace attn

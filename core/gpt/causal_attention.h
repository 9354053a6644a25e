// Causal self-attention of all heads, forward and backward, for training and for decoding.
#pragma once

#include "core/gpt/config.h"

namespace attn {

/// Factor on the scores before softmax, and on the weights after it: 1 and 1/√d for the mistake of
/// scaling too late.
struct Scaling {
  double scores, weights;
};
Scaling scaling_of(AttentionKind kind, int head_dim);

/// The number of keys with weight for the query at `position`: position + 1, or all T where hidden
/// scores are set to 0.
int visible_positions(AttentionKind kind, int position, int length);

/// One head of one sequence.
///
/// @param config     gives the kind, n_heads and d_model
/// @param length     T, positions of the sequence
/// @param first      the queries are positions first … T − 1; earlier rows are not computed
/// @param qkv        (T, 3 d_model) of the sequence: queries, keys, values side by side
/// @param head       0 … n_heads − 1
/// @param probabilities  (T, T) out: softmax rows first … T − 1, 0 where hidden
/// @param output     (T, d_model) out: the head's columns of rows first … T − 1
template <class T>
void attend(const GptConfig& config, int length, int first, const T* qkv, int head,
            T* probabilities, T* output);

/// The gradients of the head's queries, keys and values.
///
/// With P the probabilities: dV = Pᵀ dO, dP = dO Vᵀ, dS = P ∘ (dP − Σ dP P along the row), times
/// the factor on the scores, dQ = dS K, dK = dSᵀ Q.
///
/// @param doutput  (T, d_model)
/// @param scratch  (T, T + head_dim)
/// @param dqkv     (T, 3 d_model) out: the head's columns
template <class T>
void attend_backward(const GptConfig& config, int length, const T* qkv, int head,
                     const T* probabilities, const T* doutput, T* scratch, T* dqkv);

}  // namespace attn

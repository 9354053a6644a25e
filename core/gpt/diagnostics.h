// What to look at while a model learns: how attention spreads and whether it can still move.
#pragma once

#include <span>

#include "core/gpt/gpt.h"

namespace attn {

/// Of one layer, over all heads and sequences of a pass.
///
/// Entropy and Jacobian are those of the softmax itself. Where hidden scores are only set to 0
/// (AttentionKind::kHiddenAsZero) every position of the window has weight, so the entropy of a row
/// is divided by ln T.
struct Diagnostics {
  double entropy;  // mean over rows that see more than one position, ÷ ln(visible): 0 … 1
  double logit_deviation;  // standard deviation of what enters softmax, over visible pairs
  double largest_logit;    // largest absolute value of the same
  double jacobian_norm;  // mean of ‖∂p/∂z‖ over all rows; a row that sees one position gives 0
  double query_deviation;  // standard deviation of all components of the queries
  double key_deviation;
  double qkv_norm;         // Frobenius norm of the layer's query, key and value matrix
  double diagonal;         // mean weight of a position on itself
  double largest_row_sum;  // of what weighs the values; 1 unless weights are scaled afterwards
};

/// @param a  after model.forward()
/// @throws std::invalid_argument for a layer that is not there
template <class T>
Diagnostics diagnose(const Gpt<T>& model, const Activations<T>& a, int layer);

/// What one head does on a text. A uniform head has entropy 1, and over T positions the others are
/// what uniform_portrait(T) says.
struct HeadPortrait {
  double entropy;   // mean over rows that see more than one position, ÷ ln(visible)
  double diagonal;  // mean weight of a position on itself
  double previous;  // mean weight on the position just before, over rows that have one
  double distance;  // mean over rows of Σ_j (i − j) p_ij
};

/// @param weights  (T, T) rows of a causal softmax, T ≥ 1
template <class T>
HeadPortrait portrait(std::span<const T> weights, int length);

HeadPortrait uniform_portrait(int length);

}  // namespace attn

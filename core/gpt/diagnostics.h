// Diagnostics of training: entropy of attention, size of the logits, Jacobian of softmax.
#pragma once

#include <span>

#include "core/gpt/gpt.h"

namespace attn {

/// Statistics of one layer over all heads and sequences of a forward pass.
///
/// Entropy and Jacobian are those of the softmax itself. Where hidden scores are only set to 0
/// (AttentionKind::kHiddenAsZero) every position of the window has weight, so the entropy of a row
/// is divided by ln T.
struct Diagnostics {
  double entropy;  // mean over rows that see more than one position, ÷ ln(visible): 0 … 1
  double logit_deviation;  // standard deviation of the input of softmax, over visible pairs
  double largest_logit;    // largest absolute value of the same
  double jacobian_norm;  // mean of ‖∂p/∂z‖ over all rows; a row that sees one position gives 0
  double query_deviation;  // standard deviation of all components of the queries
  double key_deviation;
  double qkv_norm;         // Frobenius norm of the layer's query, key and value matrix
  double diagonal;         // mean weight of a position on itself
  double largest_row_sum;  // of the factors of the values; 1 unless scaled after softmax
};

/// @param a  after model.forward()
/// @throws std::invalid_argument for a layer out of range
template <class T>
Diagnostics diagnose(const Gpt<T>& model, const Activations<T>& a, int layer);

/// Statistics of one head on a text. uniform_portrait(T) gives those of a head with uniform weights
/// over T positions.
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

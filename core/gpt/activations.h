// The buffers of a forward and a backward pass of the small GPT.
#pragma once

#include <span>
#include <vector>

#include "core/gpt/config.h"

namespace attn {

/// All intermediate values of a forward pass, for the backward pass and for display. N = sequences
/// × T rows, row s T + t being position t of sequence s.
template <class T>
struct Activations {
  struct Layer {
    std::vector<T> input;                 // (N, d_model)  of the residual stream
    std::vector<T> norm1, mean1, scale1;  // (N, d_model), (N), (N)
    std::vector<T> qkv;                   // (N, 3 d_model)
    std::vector<T> probabilities;         // (sequences, n_heads, T, T)
    std::vector<T> heads;                 // (N, d_model)  the heads' outputs side by side
    std::vector<T> middle;                // (N, d_model)  residual stream after attention
    std::vector<T> norm2, mean2, scale2;  // (N, d_model), (N), (N)
    std::vector<T> up;                    // (N, d_ff)  before GELU
    std::vector<T> active;                // (N, d_ff)  after it
  };
  int sequences, length;
  std::vector<Layer> layers;
  std::vector<T> output;             // (N, d_model)  of the last layer
  std::vector<T> norm, mean, scale;  // (N, d_model), (N), (N)
  std::vector<T> logits;             // (N, vocab_size); replaced by their gradient in loss()
  std::vector<double> losses;        // (N)  in nats, after loss()

  /// @throws std::invalid_argument unless 1 ≤ length ≤ block_size and sequences ≥ 1
  Activations(const GptConfig& config, int sequences, int length);

  int rows() const { return sequences * length; }
  /// (T, T) attention weights; row i belongs to the query at position i.
  std::span<const T> probabilities(int layer, int sequence, int head) const;
};

/// Buffers of the backward pass, used again for each layer.
template <class T>
struct BackwardScratch {
  std::vector<T> stream, narrow, qkv, wide, squares;

  BackwardScratch(const GptConfig& config, const Activations<T>& activations);
};

}  // namespace attn

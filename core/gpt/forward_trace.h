// All values of one forward pass, from the ids to the probabilities of the next token.
#pragma once

#include <span>
#include <vector>

#include "core/gpt/gpt.h"

namespace attn {

/// The values that Gpt::forward leaves in Activations, for one sequence of T tokens, and what lies
/// before and after them. A matrix is row-major with one row for each position.
struct ForwardTrace {
  struct Layer {
    std::vector<float> input;    // (T, d_model)  residual stream
    std::vector<float> norm1;    // (T, d_model)
    std::vector<float> qkv;      // (T, 3 d_model)  queries, keys, values side by side
    std::vector<float> weights;  // (n_heads, T, T)
    std::vector<float> heads;    // (T, d_model)  the heads' outputs side by side
    std::vector<float> middle;   // (T, d_model)  residual stream after attention
    std::vector<float> norm2;    // (T, d_model)
    std::vector<float> up;       // (T, d_ff)  before GELU
    std::vector<float> active;   // (T, d_ff)  after it
  };
  std::vector<float> tokens;     // (T, d_model)  rows of the embedding table
  std::vector<float> positions;  // (T, d_model)
  std::vector<Layer> layers;
  std::vector<float> output;          // (T, d_model)  residual stream after the last layer
  std::vector<float> norm;            // (T, d_model)
  std::vector<float> logits;          // (T, vocab_size)
  std::vector<double> probabilities;  // (T, vocab_size)  as draw_token uses them at temperature 1
  /// (2 n_layers + 1, T) standard deviation of each row of the residual stream, as LayerNorm
  /// divides by it: input and middle of each layer, then the output.
  std::vector<double> deviations;
};

/// One pass of Gpt::forward.
///
/// @param tokens  T ids, 1 … block_size
/// @throws std::invalid_argument for another number of tokens or an id outside the vocabulary
ForwardTrace trace_forward(const Gpt<float>& gpt, std::span<const int> tokens);

}  // namespace attn

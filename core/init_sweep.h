// Size of the attention logits of untrained models, by width.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace attn {

struct InitSweepRow {
  int d;
  double std;            // of the unscaled logits q·k over all visible pairs, measured
  double predicted;      // σ² d^1.5
  double unit_variance;  // √d, the value for q and k of unit variance
  double entropy;        // mean over all rows but the first of a sequence, which sees one key
  double jacobian_norm;  // mean over all rows
};

/// An untrained model of one layer and one head, d_model = head width = d, measured without
/// training.
///
/// 8 sequences of 32 random tokens out of 300; token and position embeddings, W_Q and W_K normal
/// with standard deviation σ; LayerNorm (ε = 10⁻⁵, no gain) before the projections; causal mask.
/// LayerNorm leaves variance 1, so a component of q or k has variance v = d σ², and their product
/// the standard deviation v √d = σ² d^1.5.
///
/// One model of width d is a small sample, so the measurement is the mean over 256 ÷ d models, at
/// least one. Width d draws from stream d of the seed, model by model: token embeddings, positions,
/// W_Q, W_K, tokens.
///
/// @param dims   each 2 … 1024, at least one
/// @param sigma  > 0, at most 10
/// @throws std::invalid_argument outside these ranges
std::vector<InitSweepRow> init_sweep(std::span<const int> dims, double sigma, std::uint64_t seed);

}  // namespace attn

// Softmax whose weights may sum to less than 1: a sink in the denominator, a gate on the output.
#pragma once

#include <span>
#include <vector>

namespace attn {

struct SinkTrace {
  std::vector<double> weights;  // (n) e^s ÷ (e^sink + Σ e^s)
  double sink_weight = 0;       // e^sink ÷ (e^sink + Σ e^s): the weight of no token
  double total = 0;             // Σ weights, in order: the weight of all tokens
  std::vector<double> taken;    // (n) gate × weight: the factor of each value
  double taken_total = 0;       // Σ taken, in order
  double slope = 0;             // ∂ total / ∂ sink = −total · sink_weight
};

/// Softmax over the scores and one more, the sink logit, which belongs to no token and has no
/// value. The largest of all, the sink's included, is subtracted before exp.
///
/// @param scores  (n) finite, n ≥ 1
/// @param sink    finite
/// @param gate    0 … 1, multiplies the output; 1 is no gate
/// @throws std::invalid_argument for anything else
/// Source: Xiao et al. 2023, "Efficient Streaming Language Models with Attention Sinks", section
/// 3.3, eq. (2), where the sink is fixed at 0; a learnt one for each head: gpt-oss. Gate: Qiu et
/// al. 2025, "Gated Attention for Large Language Models".
SinkTrace softmax_with_sink(std::span<const double> scores, double sink, double gate);

}  // namespace attn

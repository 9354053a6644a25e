// Arithmetic and memory traffic of attention: the products themselves, against the numbers that
// move between a device's large memory and its arithmetic units.
#pragma once

namespace attn {

struct TrafficOptions {
  double n = 0;                // tokens
  double d = 0;                // width of a head
  double heads = 1;            // over all layers and sequences
  double bytes_per_value = 2;  // of Q, K, V, O, scores and weights
  double block = 128;          // queries that a tile keeps, at most n are used
  double operations_per_second = 0;
  double bytes_per_second = 0;
};

/// All sums are over the heads. A pass that waits for memory takes as long as its bytes do.
struct Traffic {
  double operations = 0;      // 4 n² d: a multiplication and an addition for each of 2 n² d terms
  double operands_bytes = 0;  // 4 n d values: Q, K, V read and O written
  double scores_bytes = 0;    // 4 n² values: scores written and read, weights written and read
  double standard_bytes = 0;  // operands and scores
  double tiled_bytes = 0;     // Q read and O written once, K and V read once for each block
  double square_bytes = 0;    // n² values: one table of scores, which tiles never keep
  double arithmetic_seconds = 0;
  double standard_seconds = 0;  // bytes ÷ bytes a second
  double tiled_seconds = 0;
};

/// @throws std::invalid_argument for a count below 1, NaN or an infinity
/// Source: Dao et al. 2022, "FlashAttention", section 3.1 and algorithm 1, with the loop over
/// queries outside (Dao 2023).
Traffic attention_traffic(const TrafficOptions& options);

}  // namespace attn

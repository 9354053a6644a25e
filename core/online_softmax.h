// Softmax of a row that is read block by block, with a running maximum and a running sum.
#pragma once

#include <span>
#include <vector>

namespace attn {

/// The state after one block.
struct OnlineBlock {
  std::size_t begin = 0, end = 0;  // scores of the block: begin … end − 1
  double block_max = 0;            // largest score of the block
  double max = 0;                  // m, largest score so far
  double correction = 0;           // e^(old m − m), factor of the old sum; 0 at the first block
  double block_sum = 0;            // Σ e^(s − m) over the block, in order
  double sum = 0;                  // ℓ = old ℓ · correction + block_sum
};

struct OnlineSoftmaxTrace {
  std::vector<OnlineBlock> blocks;
  std::vector<double> weights;  // (n) e^(s − m) ÷ ℓ with the last m and ℓ
};

/// Equal to softmax up to rounding, although no block needs the scores of another.
///
/// @param scores      (n) finite, n ≥ 1
/// @param block_size  at least 1; the last block may be shorter
/// @throws std::invalid_argument for anything else
/// Source: Milakov and Gimelshein 2018, "Online normalizer calculation for softmax", algorithm 3.
OnlineSoftmaxTrace online_softmax(std::span<const double> scores, int block_size);

}  // namespace attn

#include "core/online_softmax.h"

#include <algorithm>

#include "core/check.h"
#include "core/math.h"

namespace attn {

OnlineSoftmaxTrace online_softmax(std::span<const double> scores, int block_size) {
  require_finite("scores", scores);
  if (block_size < 1) refuse("block_size", "at least 1", text_of(block_size));
  OnlineSoftmaxTrace trace;
  double max = 0, sum = 0;
  for (std::size_t begin = 0; begin < scores.size(); begin = trace.blocks.back().end) {
    OnlineBlock block;
    block.begin = begin;
    block.end = begin + std::min(static_cast<std::size_t>(block_size), scores.size() - begin);
    const std::span part = scores.subspan(begin, block.end - begin);
    block.block_max = *std::max_element(part.begin(), part.end());
    block.max = begin == 0 ? block.block_max : std::max(max, block.block_max);
    block.correction = begin == 0 ? 0 : exp(max - block.max);
    for (const double score : part) block.block_sum += exp(score - block.max);
    block.sum = sum * block.correction + block.block_sum;
    max = block.max;
    sum = block.sum;
    trace.blocks.push_back(block);
  }
  for (const double score : scores) trace.weights.push_back(exp(score - max) / sum);
  return trace;
}

}  // namespace attn

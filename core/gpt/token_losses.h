// The loss of a model on each token of a text, and the same with one head removed.
#pragma once

#include <span>
#include <vector>

#include "core/gpt/gpt.h"

namespace attn {

/// −ln of the probability of each token after the tokens before it, from the second token on.
///
/// @param tokens  T, 1 … block_size
/// @return T − 1, in nats
/// @throws std::invalid_argument for another number of tokens or an id outside the vocabulary
std::vector<double> token_losses(const Gpt<float>& gpt, std::span<const int> tokens);

/// The same with one head removed (Gpt::ablate_head).
/// @throws std::invalid_argument as above, or for a layer or head out of range
std::vector<double> token_losses_without(const Gpt<float>& gpt, std::span<const int> tokens,
                                         int layer, int head);

}  // namespace attn

// How well a model foresees a text, token by token, and how well it would without one of its heads.
#pragma once

#include <span>
#include <vector>

#include "core/gpt/gpt.h"

namespace attn {

/// −ln of the probability that the tokens before gave each token, from the second on.
///
/// @param tokens  T, 1 … block_size
/// @return T − 1, in nats
/// @throws std::invalid_argument for another number of tokens or an id outside the vocabulary
std::vector<double> token_losses(const Gpt<float>& gpt, std::span<const int> tokens);

/// The same by the model with one head silenced (Gpt::silence).
/// @throws std::invalid_argument as above, or for a layer or head that is not there
std::vector<double> token_losses_without(const Gpt<float>& gpt, std::span<const int> tokens,
                                         int layer, int head);

}  // namespace attn

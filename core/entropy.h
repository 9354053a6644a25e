// Entropy of attention weights, on a scale that does not depend on how many keys there are.
#pragma once

#include <span>

namespace attn {

/// −Σ p ln p ÷ ln(visible): 0 for one-hot, 1 for uniform over the visible positions.
///
/// @param probabilities  each ≥ 0, summing to 1; hidden positions are 0 and add nothing
/// @param visible        positions that may be attended to, ≥ 1; with one position the
///                       result is 0
/// @return in [0, 1]
/// @throws std::invalid_argument if visible < 1
double normalized_entropy(std::span<const double> probabilities, int visible);

}  // namespace attn

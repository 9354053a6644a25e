// Dot products as random walks: the sum of q·k, one component after the other.
#pragma once

#include <cstdint>
#include <span>

#include "core/matrix.h"

namespace attn {

/// One query and `keys` keys, all components standard normal: their products after a few
/// components and after more of them.
///
/// Drawn component by component: the query's, then those of the keys. So a product of more
/// components goes on where one of fewer ends. The stream of the seed is 4097, the first that no
/// dimension of variance_experiment has.
///
/// @param stops  numbers of components, each 1 … 4096, none smaller than the one before it
/// @param keys   1 … 64
/// @return (stops, keys) the sum of the first stops[i] terms q_r k_r of each key
/// @throws std::invalid_argument outside these ranges
Matrix product_walks(std::span<const int> stops, std::uint64_t seed, int keys);

}  // namespace attn

// Euclidean distance of two vectors.
#pragma once

#include <span>

namespace attn {

/// √Σ(a_i − b_i)², summed in order.
///
/// @throws std::invalid_argument if a vector is empty or not finite, or the sizes disagree
double distance(std::span<const double> a, std::span<const double> b);

}  // namespace attn

// Cosine similarity of two vectors.
#pragma once

#include <span>

namespace attn {

/// a·b ÷ (|a| |b|), in [−1, 1]; exactly 1 for a vector with itself.
///
/// @throws std::invalid_argument if a vector is empty or has length zero, or the sizes disagree
double cosine(std::span<const double> a, std::span<const double> b);

}  // namespace attn

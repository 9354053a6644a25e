// The right rule of attention, and faulty ones for comparison.
#pragma once

#include <array>
#include <string_view>

#include "core/names.h"

namespace attn {

/// The rule from scores to the factors of the values: the standard one, and faulty ones for
/// comparison. The last four are mistakes that raise no error.
enum class AttentionKind {
  kScaled,              // softmax(q·k / √d), d the width of a head
  kUnscaled,            // softmax(q·k)
  kHiddenAsZero,        // hidden scores set to 0 instead of −∞: the future keeps some weight
  kScaledAfterSoftmax,  // softmax(q·k) / √d: a row sums to 1/√d
  kNoMaxSubtraction,    // softmax(q·k / √d) from e^score itself: overflows above 88.7 in float
  kDividedByWidth,      // softmax(q·k / d)
};

template <>
inline constexpr std::array<std::string_view, 6> names<AttentionKind> = {
    "scaled",          "unscaled", "hidden-as-zero", "scaled-after-softmax", "no-max-subtraction",
    "divided-by-width"};

}  // namespace attn

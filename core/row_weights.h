// One row of attention under the right rule or a faulty one.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "core/attention_kind.h"

namespace attn {

/// Factors of the values for one query.
///
/// @param products  q·k of the keys that the query may see; one more key is hidden from it
/// @param d         width of q and k, 1 or more
/// @return one factor for each product, then that of the hidden key; none where it is not a number
/// @throws std::invalid_argument if there is no product, one is not finite, or d is below 1
std::vector<std::optional<double>> row_weights(std::span<const double> products, AttentionKind kind,
                                               int d);

}  // namespace attn

// Sparse attention: a rule which of the earlier positions a query may see.
#pragma once

#include <cstdint>

#include "core/matrix.h"

namespace attn {

/// A position is visible if any of the three parts allows it, and never a later one. 0 turns a part
/// off.
struct SparseRule {
  int window = 1;  // the last positions, its own included; at least 1
  int stride = 0;  // every position whose distance is a multiple of it
  int global = 0;  // the first positions of the text, for all queries
};

/// (n, n): 0 where query i may see key j, else kHidden.
///
/// @throws std::invalid_argument for n < 1, a window below 1 or another part below 0
/// Source: Child et al. 2019, "Generating Long Sequences with Sparse Transformers" (window and
/// stride); Beltagy et al. 2020, "Longformer", Zaheer et al. 2020, "Big Bird" (global positions).
Matrix sparse_mask(int n, const SparseRule& rule);

/// The number of visible pairs, without the table.
///
/// @throws std::invalid_argument as `sparse_mask`
std::int64_t sparse_pairs(int n, const SparseRule& rule);

}  // namespace attn

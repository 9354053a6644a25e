// Masks: the pairs of query and key that attention may use.
#pragma once

#include <limits>
#include <vector>

#include "core/matrix.h"

namespace attn {

/// Added to a score, it makes the weight exactly 0.
constexpr double kHidden = -std::numeric_limits<double>::infinity();

/// (t_q, t_k) zeros: every pair is visible.
Matrix no_mask(Eigen::Index t_q, Eigen::Index t_k);

/// (t, t): a token sees itself and the tokens before it.
Matrix causal_mask(Eigen::Index t);

/// (t, t): a token sees only itself.
Matrix self_mask(Eigen::Index t);

/// The sequence number of a padding position.
constexpr int kPadding = -1;

/// The rules of a mask besides causal order.
struct PastRules {
  std::vector<int> sequence;     // (t) the sequence that each position belongs to, or kPadding
  Eigen::Index window = 1;       // number of last positions that a query sees, its own included
  bool inside_sequence = false;  // a query sees positions of its own sequence only
  bool padding_asks = true;      // a padding position has a query like any other
  bool inverted = false;         // visible and hidden exchanged
};

/// (t, t): a query sees itself and earlier positions, as far as the rules allow. A padding position
/// is hidden from every query, its own included, so a row may be empty.
///
/// @throws std::invalid_argument for no position, or a window below 1
Matrix past_mask(const PastRules& rules);

/// The number of keys that the query of a row may see.
int visible_keys(const Matrix& mask, Eigen::Index row) noexcept;

/// @throws std::invalid_argument unless the mask is (t_q, t_k) and holds only 0 and kHidden
void require_mask_entries(const Matrix& mask, Eigen::Index t_q, Eigen::Index t_k);

/// @throws std::invalid_argument unless, besides, every query may see at least one key (its
///         distribution would be undefined)
void require_mask(const Matrix& mask, Eigen::Index t_q, Eigen::Index t_k);

}  // namespace attn

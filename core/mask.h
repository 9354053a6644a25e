// Which query may see which key.
#pragma once

#include <limits>
#include <vector>

#include "core/matrix.h"

namespace attn {

/// Added to a score it leaves exactly no weight.
constexpr double kHidden = -std::numeric_limits<double>::infinity();

/// (t_q, t_k) zeros: every pair is visible.
Matrix no_mask(Eigen::Index t_q, Eigen::Index t_k);

/// (t, t): a token sees itself and what comes before it.
Matrix causal_mask(Eigen::Index t);

/// (t, t): a token sees only itself.
Matrix self_mask(Eigen::Index t);

/// The sequence of a filler, which only brings a row up to length.
constexpr int kPadding = -1;

/// What decides, besides order, who sees whom.
struct PastRules {
  std::vector<int> sequence;     // (t) the sequence that each position belongs to, or kPadding
  Eigen::Index window = 1;       // a query sees the last so many positions, its own among them
  bool inside_sequence = false;  // and only those of its own sequence
  bool padding_asks = true;      // a filler has a query like any other position
  bool inverted = false;         // visible and hidden exchanged
};

/// (t, t): a query sees itself and what comes before it, as far as the rules let it. A filler is
/// seen by nobody, itself included, so a row may have nothing to see.
///
/// @throws std::invalid_argument for no position, or a window below 1
Matrix past_mask(const PastRules& rules);

/// How many keys the query of that row may see.
int visible_keys(const Matrix& mask, Eigen::Index row) noexcept;

/// @throws std::invalid_argument unless the mask is (t_q, t_k) and holds only 0 and kHidden
void require_mask_entries(const Matrix& mask, Eigen::Index t_q, Eigen::Index t_k);

/// @throws std::invalid_argument unless, besides, every query may see at least one key (its
///         distribution would be undefined)
void require_mask(const Matrix& mask, Eigen::Index t_q, Eigen::Index t_k);

}  // namespace attn

// Which query may see which key.
#pragma once

#include <limits>

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

/// How many keys the query of that row may see.
int visible_keys(const Matrix& mask, Eigen::Index row) noexcept;

/// @throws std::invalid_argument unless the mask is (t_q, t_k), holds only 0 and kHidden, and
/// leaves
///         every query at least one key (its distribution would be undefined)
void require_mask(const Matrix& mask, Eigen::Index t_q, Eigen::Index t_k);

}  // namespace attn

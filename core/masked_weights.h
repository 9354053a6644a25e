// Weights from scores and a mask, by the correct method and by four faulty ones.
#pragma once

#include <array>
#include <string_view>
#include <vector>

#include "core/matrix.h"
#include "core/names.h"

namespace attn {

/// The way in which a mask is applied.
enum class Masking {
  kInfinity,  // −∞ is added before softmax: the correct method
  kZero,      // the score is replaced by 0
  kAfter,     // softmax over all keys, then hidden weights are set to 0
  kConstant,  // −10⁹ is added where hidden, all in bfloat16
  kProduct,   // (1 − m)·(−10⁹) is added everywhere, all in float16, where −10⁹ is −∞
};

template <>
inline constexpr std::array<std::string_view, 5> names<Masking> = {"infinity", "zero", "after",
                                                                   "bfloat16", "float16"};

/// The weights of a row that sees no key, for which softmax is undefined (kInfinity only).
enum class EmptyRow {
  kZero,  // all weights are 0
  kSelf,  // it sees itself
  kMean,  // its scores count as 0, so all keys, hidden ones included, have equal weights
};

template <>
inline constexpr std::array<std::string_view, 3> names<EmptyRow> = {"zero", "self", "mean"};

struct MaskedRow {
  int visible = 0;          // keys that the query may see
  bool defined = true;      // whether the weights are numbers; if not, scores and weights are 0
  double sum = 0;           // of the weights, in order
  double hidden_share = 0;  // the part of it on hidden keys, in order
};

struct MaskedTrace {
  Matrix scores;                // (T, T) as they enter softmax; −∞ where hidden
  Matrix weights;               // (T, T)
  std::vector<MaskedRow> rows;  // (T)
};

/// @param scores  (T, T) finite
/// @param mask    (T, T) 0 keeps a pair, kHidden hides it; rows may be empty
/// @throws std::invalid_argument if shapes disagree or a number is out of place
MaskedTrace masked_weights(const Matrix& scores, const Matrix& mask, Masking masking,
                           EmptyRow empty_row);

}  // namespace attn

#include "core/sparse.h"

#include <algorithm>

#include "core/check.h"
#include "core/mask.h"

namespace attn {
namespace {

void require(int n, const SparseRule& rule) {
  if (n < 1) refuse("n", "at least 1", text_of(n));
  if (rule.window < 1) refuse("window", "at least 1", text_of(rule.window));
  if (rule.stride < 0) refuse("stride", "at least 0", text_of(rule.stride));
  if (rule.global < 0) refuse("global", "at least 0", text_of(rule.global));
}

/// The multiples of the stride among the distances from `from` to `to`.
std::int64_t multiples(int from, int to, int stride) {
  return stride == 0 || to < from ? 0 : to / stride - (from - 1) / stride;
}

}  // namespace

Matrix sparse_mask(int n, const SparseRule& rule) {
  require(n, rule);
  Matrix mask = Matrix::Constant(n, n, kHidden);
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j <= i; ++j) {
      const int distance = i - j;
      const bool strided = rule.stride > 0 && distance % rule.stride == 0;
      if (distance < rule.window || strided || j < rule.global) mask(i, j) = 0;
    }
  }
  return mask;
}

std::int64_t sparse_pairs(int n, const SparseRule& rule) {
  require(n, rule);
  std::int64_t pairs = 0;
  for (int i = 0; i < n; ++i) {
    const int near = std::min(rule.window, i + 1);
    // The distances of global positions outside the window: i − global + 1 … i.
    const int far = std::max(near, i - rule.global + 1);
    pairs += near + std::max(0, i + 1 - far) + multiples(near, far - 1, rule.stride);
  }
  return pairs;
}

}  // namespace attn

// The matrix product of training: fast, and every element one sum in one fixed order.
#pragma once

#include <cstddef>

namespace attn {

/// Element (i, j) stands at data[i · row + j · col]; so a transposed matrix is the same one with
/// row and col exchanged.
template <class T>
struct View {
  const T* data;
  std::ptrdiff_t row, col;

  View transposed() const { return {data, col, row}; }
};

/// The part of a product of causal attention that is zero or not needed. Leaving it out changes no
/// bit of the rest: each sum starts at +0, and adding ±0 changes no number.
enum class Causal {
  kNone,
  kLowerResult,  // only c(i, j) with j ≤ i is needed; the rest is unspecified
  kLowerLeft,    // a(i, p) = 0 for p > i
  kUpperLeft,    // a(i, p) = 0 for p < i
};

/// c = a · b, or c += a · b.
///
/// Element (i, j) adds a(i, p) · b(p, j) over p in order inside blocks of 256, each block from
/// zero, and the blocks' sums in order; products and sums round one by one. The bits do not
/// depend on tiles, vector width or the split of rows between callers.
///
/// @param m, n, k  a is (m, k), b is (k, n), c is (m, n) with `c_row` from row to row
/// @param add      whether to add to c; otherwise the old numbers of c are not read
template <class T>
void multiply(int m, int n, int k, View<T> a, View<T> b, T* c, std::ptrdiff_t c_row,
              bool add = false, Causal causal = Causal::kNone);

extern template void multiply<float>(int, int, int, View<float>, View<float>, float*,
                                     std::ptrdiff_t, bool, Causal);
extern template void multiply<double>(int, int, int, View<double>, View<double>, double*,
                                      std::ptrdiff_t, bool, Causal);

}  // namespace attn

// The matrix product of training: fast, and every element one sum in one fixed order.
#pragma once

#include <cstddef>

namespace attn {

/// Element (i, j) stands at data[i · row + j · col]; so a transposed matrix is the same one with
/// its steps exchanged.
template <class T>
struct View {
  const T* data;
  std::ptrdiff_t row, col;

  View transposed() const { return {data, col, row}; }
};

/// What is known to be zero, or not wanted, in the product of a causal attention. What is left out
/// changes no bit of the rest: the sum starts at +0, and adding ±0 changes no number.
enum class Causal {
  kNone,
  kLowerResult,  // c(i, j) wanted for j ≤ i only; above stands anything
  kLowerLeft,    // a(i, p) = 0 for p > i
  kUpperLeft,    // a(i, p) = 0 for p < i
};

/// c = a · b, or c += a · b.
///
/// Element (i, j) adds a(i, p) · b(p, j) over p in order inside blocks of 256, each block from
/// zero, and the blocks' sums in order; products and sums round one by one. Neither tile nor vector
/// width nor the way in which callers split rows shows in a bit.
///
/// @param m, n, k  a is (m, k), b is (k, n), c is (m, n) with `c_row` from row to row
/// @param add      whether to add to c; otherwise c may hold anything
template <class T>
void multiply(int m, int n, int k, View<T> a, View<T> b, T* c, std::ptrdiff_t c_row,
              bool add = false, Causal causal = Causal::kNone);

extern template void multiply<float>(int, int, int, View<float>, View<float>, float*,
                                     std::ptrdiff_t, bool, Causal);
extern template void multiply<double>(int, int, int, View<double>, View<double>, double*,
                                      std::ptrdiff_t, bool, Causal);

}  // namespace attn

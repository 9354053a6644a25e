// Softmax over a row, eight lanes at a time.
#pragma once

#include <limits>

#include "core/math_lanes.h"

namespace attn {

/// The largest of n ≥ 1 numbers; if one is NaN, NaN or another of them.
template <class T>
inline T max_of_row(const T* row, int n) {
  Lanes<T> largest = Lanes<T>{} - std::numeric_limits<T>::infinity();
  for_lanes(n, [&](int i, auto lanes) {
    if constexpr (std::is_same_v<decltype(lanes), Full>) {
      const Lanes<T> v = load(row + i, lanes);
      largest = v > largest ? v : largest;
    } else {
      for (int j = 0; j < lanes; ++j)
        largest[j] = row[i + j] > largest[j] ? row[i + j] : largest[j];
    }
  });
  return max_of<T>(largest);
}

/// e^(x − shift) in the first n lanes, 0 in the others.
template <class T, class N>
inline Lanes<T> exp_below(const T* x, T shift, N n) {
  Lanes<T> e = exp_lanes(load(x, n) - shift);
  if constexpr (!std::is_same_v<N, Full>) {
    for (int j = n; j < kLanes; ++j) e[j] = 0;
  }
  return e;
}

/// Replaces each x by e^(x − shift) and returns the sum.
template <class T>
inline T exp_row(T* row, int n, T shift) {
  Lanes<T> sum = {};
  for_lanes(n, [&](int i, auto lanes) {
    const Lanes<T> e = exp_below(row + i, shift, lanes);
    sum += e;
    store(row + i, e, lanes);
  });
  return sum_of<T>(sum);
}

/// Softmax in place of n ≥ 1 scores.
template <class T>
inline void softmax_row(T* row, int n) {
  const T sum = exp_row(row, n, max_of_row(row, n));
  for_lanes(n, [&](int i, auto lanes) { store(row + i, load(row + i, lanes) / sum, lanes); });
}

}  // namespace attn

// Eight numbers at once: the elementwise arithmetic of training, the same bits on every machine.
//
// The compiler turns eight lanes into one, two or four registers; each lane rounds like a scalar,
// so results do not depend on the width. Sums run in eight lanes, lane j adding the elements
// j, j + 8, j + 16, …, and the lanes are joined by one fixed tree.
#pragma once

#include <cstdint>
#include <cstring>
#include <type_traits>

#include "core/math.h"

namespace attn {

constexpr int kLanes = 8;

template <class T>
struct LanesOf {
  typedef T type __attribute__((vector_size(kLanes * sizeof(T))));
};
template <class T>
using Lanes = typename LanesOf<T>::type;

/// The count of a full load as a type, so that the compiler emits one instruction.
using Full = std::integral_constant<int, kLanes>;

template <class T>
inline Lanes<T> load(const T* p, Full) {
  Lanes<T> v;
  std::memcpy(&v, p, sizeof v);
  return v;
}

/// The first `n` lanes; the others are 0.
template <class T>
inline Lanes<T> load(const T* p, int n) {
  T part[kLanes] = {};
  for (int j = 0; j < n; ++j) part[j] = p[j];
  return load(part, Full());
}

template <class T>
inline void store(T* p, Lanes<T> v, Full) {
  std::memcpy(p, &v, sizeof v);
}

template <class T>
inline void store(T* p, Lanes<T> v, int n) {
  for (int j = 0; j < n; ++j) p[j] = v[j];
}

/// body(i, lanes) for i = 0, 8, 16, … below n: `lanes` is Full, for the rest of n a smaller int.
template <class Body>
inline void for_lanes(int n, Body body) {
  int i = 0;
  for (; i + kLanes <= n; i += kLanes) body(i, Full());
  if (i < n) body(i, n - i);
}

/// ((0 + 4) + (2 + 6)) + ((1 + 5) + (3 + 7)).
template <class T>
inline T sum_of(Lanes<T> v) {
  return ((v[0] + v[4]) + (v[2] + v[6])) + ((v[1] + v[5]) + (v[3] + v[7]));
}

/// The largest lane.
template <class T>
inline T max_of(Lanes<T> v) {
  T largest = v[0];
  for (int j = 1; j < kLanes; ++j) largest = largest > v[j] ? largest : v[j];
  return largest;
}

/// Integers of the same width, for their bits.
typedef std::int32_t IntLanes __attribute__((vector_size(kLanes * sizeof(std::int32_t))));

/// e^x for softmax and sigmoid, NaN for NaN, e^0 = 1. In float: 0 below −87, where float leaves its
/// normal range, e^88 above 88, and in between within 1.0 units in the last place of the exact
/// value.
///
/// Rounds x/ln 2 by adding a number so large that only the integer part stays; the remainder, at
/// most ½ ln 2, goes through Cephes' polynomial of degree 6 (Moshier, expf.c).
inline Lanes<float> exp_lanes(Lanes<float> x) {
  constexpr float kRound = 0x1.8p23f;
  const Lanes<float> lowest = Lanes<float>{} - 87.0f;
  const Lanes<float> highest = Lanes<float>{} + 88.0f;
  const IntLanes vanishes = x < lowest;
  x = vanishes ? lowest : x;
  x = x > highest ? highest : x;
  const Lanes<float> shifted = x * 1.44269504f + kRound;
  const Lanes<float> n = shifted - kRound;
  Lanes<float> r = x - n * 0.693359375f;
  r = r - n * -2.12194440e-4f;
  Lanes<float> p = r * 1.9875691500e-4f + 1.3981999507e-3f;
  p = p * r + 8.3334519073e-3f;
  p = p * r + 4.1665795894e-2f;
  p = p * r + 1.6666665459e-1f;
  p = p * r + 5.0000001201e-1f;
  p = p * r * r + r + 1.0f;
  // The low bits of `shifted` are the integer n; 2^n from its exponent field.
  const IntLanes scale = ((IntLanes)shifted - (0x4B400000 - 127)) << 23;
  const Lanes<float> y = p * (Lanes<float>)scale;
  return (Lanes<float>)((IntLanes)y & ~vanishes);
}

/// In double, attn::exp in every lane, e^700 above 700: the accurate twin that checks gradients.
inline Lanes<double> exp_lanes(Lanes<double> x) {
  for (int j = 0; j < kLanes; ++j) x[j] = exp(x[j] > 700 ? 700 : x[j]);
  return x;
}

}  // namespace attn

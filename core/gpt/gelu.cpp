#include "core/gpt/gelu.h"

#include "core/math_lanes.h"

namespace attn {
namespace {

constexpr double kMinus2Root = -1.5957691216057308;  // −2 √(2/π)
constexpr double kCubic = 0.044715;

/// e^(−2u) and 1/(1 + e^(−2u)).
template <class T>
struct Gate {
  Lanes<T> exp, share;

  explicit Gate(Lanes<T> x) {
    const Lanes<T> inner = x * (T(1) + static_cast<T>(kCubic) * x * x);
    exp = exp_lanes(static_cast<T>(kMinus2Root) * inner);
    share = T(1) / (T(1) + exp);
  }
};

}  // namespace

template <class T>
void bias_gelu(int rows, int d, const T* bias, T* x, T* y) {
  for (int r = 0; r < rows; ++r, x += d, y += d) {
    for_lanes(d, [&](int i, auto n) {
      const Lanes<T> v = load(x + i, n) + load(bias + i, n);
      store(x + i, v, n);
      store(y + i, v * Gate<T>(v).share, n);
    });
  }
}

template <class T>
void gelu_backward(int n, const T* x, T* dy) {
  for_lanes(n, [&](int i, auto lanes) {
    // y = x s, s' = s (1 − s) 2u', and 1 − s = e^(−2u) s.
    const Lanes<T> v = load(x + i, lanes);
    const Gate<T> gate(v);
    const Lanes<T> slope =
        static_cast<T>(-kMinus2Root) * (T(1) + static_cast<T>(3 * kCubic) * v * v);
    const Lanes<T> rest = gate.exp * gate.share;
    store(dy + i, load(dy + i, lanes) * (gate.share * (T(1) + v * rest * slope)), lanes);
  });
}

#define ATTN_INSTANTIATE(T)                               \
  template void bias_gelu<T>(int, int, const T*, T*, T*); \
  template void gelu_backward<T>(int, const T*, T*);
ATTN_INSTANTIATE(float)
ATTN_INSTANTIATE(double)
#undef ATTN_INSTANTIATE

}  // namespace attn

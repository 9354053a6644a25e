#include "core/gpt/layer_norm.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "core/math_lanes.h"

namespace attn {
namespace {

constexpr double kEpsilon = 1e-5;

}  // namespace

template <class T>
void layer_norm(int rows, int d, const T* x, const T* gain, const T* bias, T* y, T* mean,
                T* scale) {
  const T width = static_cast<T>(d);
  for (int r = 0; r < rows; ++r, x += d, y += d) {
    Lanes<T> sum = {};
    for_lanes(d, [&](int i, auto n) { sum += load(x + i, n); });
    const T m = sum_of<T>(sum) / width;
    Lanes<T> squares = {};
    for_lanes(d, [&](int i, auto n) {
      Lanes<T> off = load(x + i, n) - m;
      if constexpr (!std::is_same_v<decltype(n), Full>) {
        for (int j = n; j < kLanes; ++j) off[j] = 0;
      }
      squares += off * off;
    });
    const T s = T(1) / std::sqrt(sum_of<T>(squares) / width + static_cast<T>(kEpsilon));
    for_lanes(d, [&](int i, auto n) {
      store(y + i, (load(x + i, n) - m) * s * load(gain + i, n) + load(bias + i, n), n);
    });
    mean[r] = m;
    scale[r] = s;
  }
}

template <class T>
void layer_norm_backward(int rows, int d, const T* dy, const T* x, const T* gain, const T* mean,
                         const T* scale, T* dx, bool add) {
  const T width = static_cast<T>(d);
  for (int r = 0; r < rows; ++r, x += d, dy += d, dx += d) {
    const T m = mean[r], s = scale[r];
    // Beyond the end of a row h is 0, so the value of x̂ there does not matter.
    Lanes<T> sum = {}, along = {};
    for_lanes(d, [&](int i, auto n) {
      const Lanes<T> h = load(dy + i, n) * load(gain + i, n);
      sum += h;
      along += h * ((load(x + i, n) - m) * s);
    });
    const T mean_h = sum_of<T>(sum) / width, mean_along = sum_of<T>(along) / width;
    for_lanes(d, [&](int i, auto n) {
      const Lanes<T> h = load(dy + i, n) * load(gain + i, n);
      Lanes<T> out = s * (h - mean_h - (load(x + i, n) - m) * s * mean_along);
      if (add) out = load(dx + i, n) + out;
      store(dx + i, out, n);
    });
  }
}

template <class T>
void layer_norm_parameters_backward(int rows, int d, int begin, int end, const T* dy, const T* x,
                                    const T* mean, const T* scale, T* dgain, T* dbias) {
  std::fill(dgain + begin, dgain + end, T(0));
  std::fill(dbias + begin, dbias + end, T(0));
  for (int r = 0; r < rows; ++r) {
    const std::ptrdiff_t row = static_cast<std::ptrdiff_t>(r) * d + begin;
    const T m = mean[r], s = scale[r];
    for_lanes(end - begin, [&](int i, auto n) {
      const Lanes<T> g = load(dy + row + i, n);
      T* gain = dgain + begin + i;
      T* bias = dbias + begin + i;
      store(gain, load(gain, n) + g * ((load(x + row + i, n) - m) * s), n);
      store(bias, load(bias, n) + g, n);
    });
  }
}

#define ATTN_INSTANTIATE(T)                                                                        \
  template void layer_norm<T>(int, int, const T*, const T*, const T*, T*, T*, T*);                 \
  template void layer_norm_backward<T>(int, int, const T*, const T*, const T*, const T*, const T*, \
                                       T*, bool);                                                  \
  template void layer_norm_parameters_backward<T>(int, int, int, int, const T*, const T*,          \
                                                  const T*, const T*, T*, T*);
ATTN_INSTANTIATE(float)
ATTN_INSTANTIATE(double)
#undef ATTN_INSTANTIATE

}  // namespace attn

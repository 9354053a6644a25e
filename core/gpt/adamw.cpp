#include "core/gpt/adamw.h"

#include <cmath>

#include "core/math_lanes.h"

namespace attn {
namespace {

/// IEEE 754 rounds √ exactly, as it does + − × ÷. The compiler emits one instruction.
template <class T>
Lanes<T> square_root(Lanes<T> x) {
#pragma GCC unroll 8
  for (int j = 0; j < kLanes; ++j) x[j] = std::sqrt(x[j]);
  return x;
}

}  // namespace

template <class T>
void adamw(int n, T* p, const T* g, T* m, T* v, const AdamW& settings, const AdamWStep& step,
           bool decays) {
  const auto beta1 = static_cast<T>(settings.beta1), beta2 = static_cast<T>(settings.beta2);
  const auto new1 = static_cast<T>(1 - settings.beta1), new2 = static_cast<T>(1 - settings.beta2);
  const auto keep = static_cast<T>(1 - (decays ? step.learning_rate * settings.weight_decay : 0));
  const auto rate = static_cast<T>(step.learning_rate / step.correction1);
  const auto spread = static_cast<T>(1 / step.correction2);
  const auto scale = static_cast<T>(step.gradient_scale);
  const auto epsilon = static_cast<T>(settings.epsilon);
  for_lanes(n, [&](int i, auto lanes) {
    const Lanes<T> grad = load(g + i, lanes) * scale;
    const Lanes<T> first = load(m + i, lanes) * beta1 + grad * new1;
    const Lanes<T> second = load(v + i, lanes) * beta2 + grad * grad * new2;
    store(m + i, first, lanes);
    store(v + i, second, lanes);
    const Lanes<T> change = rate * first / (square_root<T>(second * spread) + epsilon);
    store(p + i, load(p + i, lanes) * keep - change, lanes);
  });
}

template <class T>
double sum_of_squares(int n, const T* x) {
  Lanes<double> sum = {};
  for_lanes(n, [&](int i, auto lanes) {
    const Lanes<double> wide = __builtin_convertvector(load(x + i, lanes), Lanes<double>);
    sum += wide * wide;
  });
  return sum_of<double>(sum);
}

#define ATTN_INSTANTIATE(T)                                                                \
  template void adamw<T>(int, T*, const T*, T*, T*, const AdamW&, const AdamWStep&, bool); \
  template double sum_of_squares<T>(int, const T*);
ATTN_INSTANTIATE(float)
ATTN_INSTANTIATE(double)
#undef ATTN_INSTANTIATE

}  // namespace attn

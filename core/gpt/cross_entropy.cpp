#include "core/gpt/cross_entropy.h"

#include <limits>

#include "core/gpt/row_softmax.h"

namespace attn {

template <class T>
void cross_entropy(int rows, int vocab, T* logits, const int* targets, double* losses, T share,
                   bool backward) {
  for (int r = 0; r < rows; ++r, logits += vocab) {
    const T largest = max_of_row(logits, vocab);
    const double target = static_cast<double>(logits[targets[r]]) - static_cast<double>(largest);
    if (backward) {
      const T sum = exp_row(logits, vocab, largest);
      losses[r] = log(static_cast<double>(sum)) - target;
      const T factor = share / sum;
      for_lanes(vocab, [&](int i, auto n) { store(logits + i, load(logits + i, n) * factor, n); });
      logits[targets[r]] -= share;
    } else {
      Lanes<T> sum = {};
      for_lanes(vocab, [&](int i, auto n) { sum += exp_below(logits + i, largest, n); });
      losses[r] = log(static_cast<double>(sum_of<T>(sum))) - target;
    }
  }
}

template void cross_entropy<float>(int, int, float*, const int*, double*, float, bool);
template void cross_entropy<double>(int, int, double*, const int*, double*, double, bool);

}  // namespace attn

#include "core/gpt/causal_attention.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "core/gpt/gemm.h"
#include "core/gpt/row_softmax.h"

namespace attn {
namespace {

/// The columns of one head in rows of queries, keys and values.
template <class T>
struct HeadColumns {
  std::ptrdiff_t row, query, key, value;

  HeadColumns(const GptConfig& config, int head)
      : row(std::ptrdiff_t{3} * config.d_model),
        query(std::ptrdiff_t{head} * config.head_dim()),
        key(config.d_model + query),
        value(2 * config.d_model + query) {}
};

template <class T>
void scale_row(T* row, int n, T factor) {
  for_lanes(n, [&](int i, auto lanes) { store(row + i, load(row + i, lanes) * factor, lanes); });
}

/// Softmax without subtraction of the maximum: where e^score overflows, the row becomes NaN.
template <class T>
void naive_softmax_row(T* row, int n) {
  T sum = 0;
  for (int i = 0; i < n; ++i) {
    row[i] = exp(row[i]);
    sum += row[i];
  }
  for (int i = 0; i < n; ++i) row[i] /= sum;
}

}  // namespace

Scaling scaling_of(AttentionKind kind, int head_dim) {
  const double root = 1 / std::sqrt(static_cast<double>(head_dim));
  switch (kind) {
    case AttentionKind::kUnscaled:
      return {1, 1};
    case AttentionKind::kScaledAfterSoftmax:
      return {1, root};
    case AttentionKind::kDividedByWidth:
      return {1.0 / head_dim, 1};
    default:
      return {root, 1};
  }
}

int visible_positions(AttentionKind kind, int position, int length) {
  return kind == AttentionKind::kHiddenAsZero ? length : position + 1;
}

template <class T>
void attend(const GptConfig& config, int length, int first, const T* qkv, int head,
            T* probabilities, T* output) {
  const HeadColumns<T> at(config, head);
  const int width = config.head_dim(), rows = length - first;
  const auto d = static_cast<std::ptrdiff_t>(config.d_model);
  const bool causal = config.attention != AttentionKind::kHiddenAsZero && first == 0;
  const Scaling scaling = scaling_of(config.attention, width);
  T* p = probabilities + std::ptrdiff_t{first} * length;
  T* out = output + first * d + at.query;

  multiply<T>(rows, length, width, {qkv + first * at.row + at.query, at.row, 1},
              {qkv + at.key, 1, at.row}, p, length, false,
              causal ? Causal::kLowerResult : Causal::kNone);
  for (int r = 0; r < rows; ++r) {
    T* row = p + std::ptrdiff_t{r} * length;
    const int own = first + r + 1;
    const int visible = visible_positions(config.attention, first + r, length);
    std::fill(row + own, row + length, T(0));
    if (scaling.scores != 1) scale_row(row, own, static_cast<T>(scaling.scores));
    if (config.attention == AttentionKind::kNoMaxSubtraction) {
      naive_softmax_row(row, visible);
    } else {
      softmax_row(row, visible);
    }
  }
  multiply<T>(rows, width, length, {p, length, 1}, {qkv + at.value, at.row, 1}, out, d, false,
              causal ? Causal::kLowerLeft : Causal::kNone);
  if (scaling.weights != 1) {
    for (int r = 0; r < rows; ++r) scale_row(out + r * d, width, static_cast<T>(scaling.weights));
  }
}

template <class T>
void attend_backward(const GptConfig& config, int length, const T* qkv, int head,
                     const T* probabilities, const T* doutput, T* scratch, T* dqkv) {
  const HeadColumns<T> at(config, head);
  const int width = config.head_dim();
  const auto d = static_cast<std::ptrdiff_t>(config.d_model);
  const bool causal = config.attention != AttentionKind::kHiddenAsZero;
  const Scaling scaling = scaling_of(config.attention, width);
  T* dscores = scratch;

  View<T> out{doutput + at.query, d, 1};
  if (scaling.weights != 1) {
    T* scaled = scratch + std::ptrdiff_t{length} * length;
    for (int r = 0; r < length; ++r) {
      std::copy_n(out.data + r * d, width, scaled + std::ptrdiff_t{r} * width);
      scale_row(scaled + std::ptrdiff_t{r} * width, width, static_cast<T>(scaling.weights));
    }
    out = {scaled, width, 1};
  }
  const View<T> p{probabilities, length, 1};
  const View<T> ds{dscores, length, 1};

  multiply<T>(length, width, length, p.transposed(), out, dqkv + at.value, at.row, false,
              causal ? Causal::kUpperLeft : Causal::kNone);
  multiply<T>(length, length, width, out, {qkv + at.value, 1, at.row}, dscores, length, false,
              causal ? Causal::kLowerResult : Causal::kNone);
  for (int r = 0; r < length; ++r) {
    const T* weights = probabilities + std::ptrdiff_t{r} * length;
    T* row = dscores + std::ptrdiff_t{r} * length;
    const int own = r + 1;
    Lanes<T> along = {};
    for_lanes(visible_positions(config.attention, r, length),
              [&](int i, auto n) { along += load(weights + i, n) * load(row + i, n); });
    const T common = sum_of<T>(along), factor = static_cast<T>(scaling.scores);
    for_lanes(own, [&](int i, auto n) {
      store(row + i, load(weights + i, n) * (load(row + i, n) - common) * factor, n);
    });
    std::fill(row + own, row + length, T(0));  // a hidden score is a constant: its gradient is 0
  }
  multiply<T>(length, width, length, ds, {qkv + at.key, at.row, 1}, dqkv + at.query, at.row, false,
              Causal::kLowerLeft);
  multiply<T>(length, width, length, ds.transposed(), {qkv + at.query, at.row, 1}, dqkv + at.key,
              at.row, false, Causal::kUpperLeft);
}

#define ATTN_INSTANTIATE(T)                                                                      \
  template void attend<T>(const GptConfig&, int, int, const T*, int, T*, T*);                    \
  template void attend_backward<T>(const GptConfig&, int, const T*, int, const T*, const T*, T*, \
                                   T*);
ATTN_INSTANTIATE(float)
ATTN_INSTANTIATE(double)
#undef ATTN_INSTANTIATE

}  // namespace attn

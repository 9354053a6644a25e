#include "core/gpt/diagnostics.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "core/check.h"
#include "core/entropy.h"
#include "core/gpt/adamw.h"
#include "core/gpt/causal_attention.h"
#include "core/jacobian.h"

namespace attn {
namespace {

/// Mean and standard deviation in one pass over numbers of any size (Welford).
struct Moments {
  double n = 0, mean = 0, squares = 0;

  void add(double x) {
    n += 1;
    const double off = x - mean;
    mean += off / n;
    squares += off * (x - mean);
  }
  double deviation() const { return n > 0 ? std::sqrt(squares / n) : 0; }
};

template <class T>
double product_of(const T* a, const T* b, int n) {
  double sum = 0;
  for (int i = 0; i < n; ++i) sum += static_cast<double>(a[i]) * static_cast<double>(b[i]);
  return sum;
}

}  // namespace

template <class T>
Diagnostics diagnose(const Gpt<T>& model, const Activations<T>& a, int layer) {
  const GptConfig& config = model.config();
  if (layer < 0 || layer >= config.n_layers) {
    refuse("layer", "0 to " + std::to_string(config.n_layers - 1), std::to_string(layer));
  }
  const int d = config.d_model, width = config.head_dim(), length = a.length;
  const T* qkv = a.layers[static_cast<std::size_t>(layer)].qkv.data();
  const Scaling scaling = scaling_of(config.attention, width);
  Diagnostics result{};
  Moments queries, keys, logits;
  double entropy = 0, jacobian = 0, diagonal = 0;
  int rows = 0, spreading_rows = 0;
  std::vector<double> row(static_cast<std::size_t>(length));
  for (int s = 0; s < a.sequences; ++s) {
    const T* sequence = qkv + std::ptrdiff_t{s} * length * 3 * d;
    for (int i = 0; i < length; ++i) {
      for (int c = 0; c < d; ++c) {
        const T* at = sequence + std::ptrdiff_t{i} * 3 * d + c;
        queries.add(static_cast<double>(at[0]));
        keys.add(static_cast<double>(at[d]));
      }
    }
    for (int h = 0; h < config.n_heads; ++h) {
      const std::span<const T> weights = a.probabilities(layer, s, h);
      for (int i = 0; i < length; ++i) {
        const T* query = sequence + std::ptrdiff_t{i} * 3 * d + h * width;
        for (int j = 0; j <= i; ++j) {
          const T* key = sequence + std::ptrdiff_t{j} * 3 * d + d + h * width;
          const double logit = product_of(query, key, width) * scaling.scores;
          logits.add(logit);
          result.largest_logit = std::max(result.largest_logit, std::abs(logit));
        }
        const int visible = visible_positions(config.attention, i, length);
        const T* from = weights.data() + std::ptrdiff_t{i} * length;
        double sum = 0;
        for (int j = 0; j < visible; ++j) {
          row[static_cast<std::size_t>(j)] = static_cast<double>(from[j]);
          sum += static_cast<double>(from[j]);
        }
        const std::span<const double> p(row.data(), static_cast<std::size_t>(visible));
        ++rows;
        if (visible > 1) {
          ++spreading_rows;
          entropy += normalized_entropy(p, visible);
        }
        jacobian += softmax_jacobian_norm(p);
        diagonal += row[static_cast<std::size_t>(i)];
        result.largest_row_sum = std::max(result.largest_row_sum, sum * scaling.weights);
      }
    }
  }
  result.entropy = spreading_rows > 0 ? entropy / spreading_rows : 0;
  result.jacobian_norm = jacobian / rows;
  result.diagonal = diagonal / rows;
  result.logit_deviation = logits.deviation();
  result.query_deviation = queries.deviation();
  result.key_deviation = keys.deviation();
  const ParameterLayout::Layer& at = model.layout().layers[static_cast<std::size_t>(layer)];
  result.qkv_norm = std::sqrt(sum_of_squares(3 * d * d, model.parameters().data() + at.qkv));
  return result;
}

template <class T>
HeadPortrait portrait(std::span<const T> weights, int length) {
  HeadPortrait result{};
  std::vector<double> row(static_cast<std::size_t>(length));
  for (int i = 0; i < length; ++i) {
    const T* from = weights.data() + std::ptrdiff_t{i} * length;
    for (int j = 0; j <= i; ++j) {
      row[static_cast<std::size_t>(j)] = static_cast<double>(from[j]);
      result.distance += (i - j) * static_cast<double>(from[j]);
    }
    result.diagonal += static_cast<double>(from[i]);
    if (i == 0) continue;
    result.entropy += normalized_entropy({row.data(), static_cast<std::size_t>(i) + 1}, i + 1);
    result.previous += static_cast<double>(from[i - 1]);
  }
  result.distance /= length;
  result.diagonal /= length;
  if (length > 1) {
    result.entropy /= length - 1;
    result.previous /= length - 1;
  }
  return result;
}

HeadPortrait uniform_portrait(int length) {
  std::vector<double> weights(static_cast<std::size_t>(length) * static_cast<std::size_t>(length));
  for (int i = 0; i < length; ++i) {
    std::fill_n(weights.begin() + std::ptrdiff_t{i} * length, i + 1, 1.0 / (i + 1));
  }
  return portrait(std::span<const double>(weights), length);
}

#define ATTN_INSTANTIATE(T)                                                    \
  template Diagnostics diagnose<T>(const Gpt<T>&, const Activations<T>&, int); \
  template HeadPortrait portrait<T>(std::span<const T>, int);
ATTN_INSTANTIATE(float)
ATTN_INSTANTIATE(double)
#undef ATTN_INSTANTIATE

}  // namespace attn

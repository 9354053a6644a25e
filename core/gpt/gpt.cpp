#include "core/gpt/gpt.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>

#include "core/bits.h"
#include "core/check.h"
#include "core/gpt/causal_attention.h"
#include "core/gpt/cross_entropy.h"
#include "core/gpt/gelu.h"
#include "core/gpt/gemm.h"
#include "core/gpt/layer_norm.h"
#include "core/math_lanes.h"
#include "core/rng.h"

namespace attn {
namespace {

constexpr double kStartDeviation = 0.02;
constexpr std::uint64_t kStartStream = 1;
constexpr std::uint64_t kBiasStream = 2;  // so that the matrices don't depend on the biases' start

std::size_t count(int a, int b) {
  return static_cast<std::size_t>(a) * static_cast<std::size_t>(b);
}

/// multiply() with the rows of the result split between threads.
template <class T>
void multiply_rows(Workers& workers, int m, int n, int k, View<T> a, View<T> b, T* c, bool add) {
  workers.split(m, [&](int begin, int end) {
    multiply<T>(end - begin, n, k, {a.data + begin * a.row, a.row, a.col}, b,
                c + std::ptrdiff_t{begin} * n, n, add);
  });
}

template <class T>
View<T> rows_of(const T* data, int cols) {
  return {data, cols, 1};
}

/// sums[c] = Σ over rows in order of x(r, c).
template <class T>
void column_sums(Workers& workers, int rows, int cols, const T* x, T* sums) {
  workers.split(cols, [&](int begin, int end) {
    std::fill(sums + begin, sums + end, T(0));
    for (int r = 0; r < rows; ++r) {
      const T* row = x + std::ptrdiff_t{r} * cols + begin;
      for_lanes(end - begin, [&](int i, auto n) {
        T* sum = sums + begin + i;
        store(sum, load(sum, n) + load(row + i, n), n);
      });
    }
  });
}

/// LayerNorm of rows, or without it their copy, whose mean is taken as 0 and scale as 1.
template <class T>
void normalise(const GptParts& parts, int rows, int d, const T* x, const T* gain, const T* bias,
               T* y, T* mean, T* scale) {
  if (parts.layer_norm) {
    layer_norm(rows, d, x, gain, bias, y, mean, scale);
    return;
  }
  std::copy_n(x, count(rows, d), y);
  std::fill_n(mean, rows, T(0));
  std::fill_n(scale, rows, T(1));
}

template <class T>
void add_to(int n, const T* x, T* to) {
  for_lanes(n, [&](int i, auto lanes) {
    store(to + i, load(to + i, lanes) + load(x + i, lanes), lanes);
  });
}

}  // namespace

template <class T>
Gpt<T>::Gpt(const GptConfig& config, std::uint64_t seed)
    : config_(config), layout_(config), parameters_(layout_.size()) {
  Rng rng(seed, kStartStream);
  const double residual = kStartDeviation / std::sqrt(2.0 * config.n_layers);
  for (const Tensor& tensor : layout_.tensors()) {
    const std::span<T> values(parameters_.data() + tensor.offset, tensor.size());
    if (tensor.start == Tensor::Start::kOne) std::fill(values.begin(), values.end(), T(1));
    if (tensor.start != Tensor::Start::kNormal && tensor.start != Tensor::Start::kResidual)
      continue;
    const double deviation = tensor.start == Tensor::Start::kResidual ? residual : kStartDeviation;
    for (T& value : values) value = static_cast<T>(deviation * rng.normal());
  }
  start_biases(seed);
}

template <class T>
void Gpt<T>::start_biases(std::uint64_t seed) {
  Rng rng(seed, kBiasStream);
  int inputs = 0;  // of the matrix before the bias
  for (const Tensor& tensor : layout_.tensors()) {
    if (tensor.rows > 1) inputs = tensor.rows;
    if (tensor.start != Tensor::Start::kUniform) continue;
    const double most = 1 / std::sqrt(static_cast<double>(inputs));
    for (T& value : std::span<T>(parameters_.data() + tensor.offset, tensor.size())) {
      value = static_cast<T>(most * (2 * rng.uniform() - 1));
    }
  }
}

template <class T>
Gpt<T>::Gpt(const GptConfig& config, std::vector<T> parameters)
    : config_(config), layout_(config), parameters_(std::move(parameters)) {
  if (parameters_.size() != layout_.size()) {
    refuse("parameters", std::to_string(layout_.size()) + " numbers",
           std::to_string(parameters_.size()));
  }
}

template <class T>
void Gpt<T>::require_tokens(const char* name, std::span<const int> tokens,
                            const Activations<T>& a) const {
  if (tokens.size() != static_cast<std::size_t>(a.rows())) {
    refuse(name, std::to_string(a.rows()) + " ids", std::to_string(tokens.size()));
  }
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    if (tokens[i] < 0 || tokens[i] >= config_.vocab_size) {
      refuse(std::string(name) + "[" + std::to_string(i) + "]",
             "0 to " + std::to_string(config_.vocab_size - 1), std::to_string(tokens[i]));
    }
  }
}

template <class T>
void Gpt<T>::forward(std::span<const int> tokens, Activations<T>& a, Workers& workers,
                     int first) const {
  require_tokens("tokens", tokens, a);
  if (first < 0 || first >= a.length || (first > 0 && a.sequences > 1)) {
    refuse("first", "0, or with one sequence one of its positions", std::to_string(first));
  }
  const int d = config_.d_model, ff = config_.d_ff, heads = config_.n_heads;
  const int rows = a.rows() - first;
  const GptParts& parts = config_.parts;
  const auto from = [&](std::vector<T>& all, int cols) { return all.data() + count(first, cols); };

  T* stream = from(a.layers[0].input, d);
  for (int r = 0; r < rows; ++r) {
    const int row = first + r;
    const T* token = at(layout_.tokens) + count(tokens[static_cast<std::size_t>(row)], d);
    T* to = stream + count(r, d);
    std::copy_n(token, d, to);
    if (parts.positions) add_to(d, at(layout_.positions) + count(row % a.length, d), to);
  }
  for (std::size_t index = 0; index < a.layers.size(); ++index) {
    typename Activations<T>::Layer& layer = a.layers[index];
    const ParameterLayout::Layer& p = layout_.layers[index];
    workers.split(rows, [&](int begin, int end) {
      normalise(parts, end - begin, d, stream + count(begin, d), at(p.norm1_gain), at(p.norm1_bias),
                from(layer.norm1, d) + count(begin, d), from(layer.mean1, 1) + begin,
                from(layer.scale1, 1) + begin);
    });
    multiply_rows<T>(workers, rows, 3 * d, d, rows_of<T>(from(layer.norm1, d), d),
                     rows_of(at(p.qkv), 3 * d), from(layer.qkv, 3 * d), false);
    workers.split(a.sequences * heads, [&](int begin, int end) {
      for (int i = begin; i < end; ++i) {
        const int sequence = i / heads;
        attend(config_, a.length, first, layer.qkv.data() + count(sequence * a.length, 3 * d),
               i % heads,
               layer.probabilities.data() + count(i, a.length) * static_cast<std::size_t>(a.length),
               layer.heads.data() + count(sequence * a.length, d));
      }
    });
    T* middle = from(layer.middle, d);
    workers.split(rows, [&](int begin, int end) {
      std::copy(stream + count(begin, d), stream + count(end, d), middle + count(begin, d));
      multiply<T>(end - begin, d, d, rows_of<T>(from(layer.heads, d) + count(begin, d), d),
                  rows_of(at(p.project), d), middle + count(begin, d), d, parts.residual);
      normalise(parts, end - begin, d, middle + count(begin, d), at(p.norm2_gain), at(p.norm2_bias),
                from(layer.norm2, d) + count(begin, d), from(layer.mean2, 1) + begin,
                from(layer.scale2, 1) + begin);
    });
    multiply_rows<T>(workers, rows, ff, d, rows_of<T>(from(layer.norm2, d), d),
                     rows_of(at(p.up), ff), from(layer.up, ff), false);
    T* output = from(index + 1 < a.layers.size() ? a.layers[index + 1].input : a.output, d);
    workers.split(rows, [&](int begin, int end) {
      bias_gelu(end - begin, ff, at(p.up_bias), from(layer.up, ff) + count(begin, ff),
                from(layer.active, ff) + count(begin, ff));
      for (int r = begin; r < end; ++r) {
        T* to = output + count(r, d);
        std::copy_n(at(p.down_bias), d, to);
        if (parts.residual) add_to(d, middle + count(r, d), to);
      }
      multiply<T>(end - begin, d, ff, rows_of<T>(from(layer.active, ff) + count(begin, ff), ff),
                  rows_of(at(p.down), d), output + count(begin, d), d, true);
    });
    stream = output;
  }
  workers.split(rows, [&](int begin, int end) {
    normalise(parts, end - begin, d, stream + count(begin, d), at(layout_.norm_gain),
              at(layout_.norm_bias), from(a.norm, d) + count(begin, d), from(a.mean, 1) + begin,
              from(a.scale, 1) + begin);
  });
  multiply_rows<T>(workers, rows, config_.vocab_size, d, rows_of<T>(from(a.norm, d), d),
                   rows_of(at(layout_.output), d).transposed(), from(a.logits, config_.vocab_size),
                   false);
}

template <class T>
double Gpt<T>::loss(std::span<const int> targets, Activations<T>& a, Workers& workers,
                    bool backward) const {
  require_tokens("targets", targets, a);
  const int rows = a.rows(), vocab = config_.vocab_size;
  a.losses.resize(targets.size());
  workers.split(rows, [&](int begin, int end) {
    cross_entropy(end - begin, vocab, a.logits.data() + count(begin, vocab), targets.data() + begin,
                  a.losses.data() + begin, T(1) / static_cast<T>(rows), backward);
  });
  double sum = 0;
  for (const double one : a.losses) sum += one;
  return sum / rows;
}

template <class T>
void Gpt<T>::backward(std::span<const int> tokens, Activations<T>& a, BackwardScratch<T>& scratch,
                      std::span<T> gradient, Workers& workers) const {
  const int d = config_.d_model, ff = config_.d_ff, heads = config_.n_heads;
  const int rows = a.rows(), vocab = config_.vocab_size;
  const auto to = [&](std::size_t offset) { return gradient.data() + offset; };
  T* stream = scratch.stream.data();  // gradient of the residual stream
  T* narrow = scratch.narrow.data();

  // y = x W: the gradient of x is dy Wᵀ, that of W is xᵀ dy.
  const auto input_gradient = [&](int inputs, int outputs, const T* dy, const T* w, T* dx) {
    multiply_rows<T>(workers, rows, inputs, outputs, rows_of(dy, outputs),
                     rows_of(w, outputs).transposed(), dx, false);
  };
  const auto weight_gradient = [&](int inputs, int outputs, const T* x, const T* dy, T* dw) {
    multiply_rows<T>(workers, inputs, outputs, rows, rows_of(x, inputs).transposed(),
                     rows_of(dy, outputs), dw, false);
  };
  const auto norm_gradient = [&](const T* dy, const T* x, std::size_t gain, std::size_t bias,
                                 const T* mean, const T* scale, bool add) {
    if (!config_.parts.layer_norm) {
      if (add) {
        add_to(rows * d, dy, stream);
      } else {
        std::copy_n(dy, count(rows, d), stream);
      }
      return;
    }
    workers.split(d, [&](int begin, int end) {
      layer_norm_parameters_backward(rows, d, begin, end, dy, x, mean, scale, to(gain), to(bias));
    });
    workers.split(rows, [&](int begin, int end) {
      const std::size_t skip = count(begin, d);
      layer_norm_backward(end - begin, d, dy + skip, x + skip, at(gain), mean + begin,
                          scale + begin, stream + skip, add);
    });
  };

  // The output matrix is (vocab, d), used transposed.
  const T* dlogits = a.logits.data();
  multiply_rows<T>(workers, rows, d, vocab, rows_of(dlogits, vocab), rows_of(at(layout_.output), d),
                   narrow, false);
  multiply_rows<T>(workers, vocab, d, rows, rows_of(dlogits, vocab).transposed(),
                   rows_of<T>(a.norm.data(), d), to(layout_.output), false);
  norm_gradient(narrow, a.output.data(), layout_.norm_gain, layout_.norm_bias, a.mean.data(),
                a.scale.data(), false);

  for (std::size_t index = a.layers.size(); index-- > 0;) {
    const typename Activations<T>::Layer& layer = a.layers[index];
    const ParameterLayout::Layer& p = layout_.layers[index];
    T* wide = scratch.wide.data();
    input_gradient(ff, d, stream, at(p.down), wide);
    weight_gradient(ff, d, layer.active.data(), stream, to(p.down));
    column_sums(workers, rows, d, stream, to(p.down_bias));
    workers.split(rows, [&](int begin, int end) {
      gelu_backward((end - begin) * ff, layer.up.data() + count(begin, ff),
                    wide + count(begin, ff));
    });
    input_gradient(d, ff, wide, at(p.up), narrow);
    weight_gradient(d, ff, layer.norm2.data(), wide, to(p.up));
    column_sums(workers, rows, ff, wide, to(p.up_bias));
    norm_gradient(narrow, layer.middle.data(), p.norm2_gain, p.norm2_bias, layer.mean2.data(),
                  layer.scale2.data(), config_.parts.residual);

    T* dqkv = scratch.qkv.data();
    input_gradient(d, d, stream, at(p.project), narrow);
    weight_gradient(d, d, layer.heads.data(), stream, to(p.project));
    const auto square = static_cast<std::size_t>(a.length) * static_cast<std::size_t>(a.length);
    const std::size_t room = square + count(a.length, config_.head_dim());
    workers.split(a.sequences * heads, [&](int begin, int end) {
      for (int i = begin; i < end; ++i) {
        const int row = i / heads * a.length;
        attend_backward(config_, a.length, layer.qkv.data() + count(row, 3 * d), i % heads,
                        layer.probabilities.data() + static_cast<std::size_t>(i) * square,
                        narrow + count(row, d),
                        scratch.squares.data() + static_cast<std::size_t>(begin) * room,
                        dqkv + count(row, 3 * d));
      }
    });
    input_gradient(d, 3 * d, dqkv, at(p.qkv), narrow);
    weight_gradient(d, 3 * d, layer.norm1.data(), dqkv, to(p.qkv));
    norm_gradient(narrow, layer.input.data(), p.norm1_gain, p.norm1_bias, layer.mean1.data(),
                  layer.scale1.data(), config_.parts.residual);
  }

  if (!config_.parts.tied_output) std::fill_n(to(layout_.tokens), count(vocab, d), T(0));
  if (config_.parts.positions) {
    std::fill_n(to(layout_.positions), count(config_.block_size, d), T(0));
  }
  for (int r = 0; r < rows; ++r) {
    add_to(d, stream + count(r, d),
           to(layout_.tokens) + count(tokens[static_cast<std::size_t>(r)], d));
    if (config_.parts.positions) {
      add_to(d, stream + count(r, d), to(layout_.positions) + count(r % a.length, d));
    }
  }
}

template <class T>
void Gpt<T>::require_head(int layer, int head) const {
  if (layer < 0 || layer >= config_.n_layers) {
    refuse("layer", "0 to " + std::to_string(config_.n_layers - 1), std::to_string(layer));
  }
  if (head < 0 || head >= config_.n_heads) {
    refuse("head", "0 to " + std::to_string(config_.n_heads - 1), std::to_string(head));
  }
}

template <class T>
void Gpt<T>::ablate_head(int layer, int head) {
  require_head(layer, head);
  const std::size_t rows = count(config_.head_dim(), config_.d_model);
  const std::size_t begin = layout_.layers[static_cast<std::size_t>(layer)].project +
                            static_cast<std::size_t>(head) * rows;
  std::fill_n(parameters_.data() + begin, rows, T(0));
}

template <class T>
std::uint64_t digest(std::span<const T> numbers) {
  using Bits = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;
  std::uint64_t hash = 0xcbf29ce484222325;
  for (const T number : numbers) {
    Bits bits = bit_cast<Bits>(number);
    for (std::size_t i = 0; i < sizeof(T); ++i, bits >>= 8)
      hash = (hash ^ (bits & 255)) * 0x100000001b3;
  }
  return hash;
}

#define ATTN_INSTANTIATE(T) \
  template class Gpt<T>;    \
  template std::uint64_t digest<T>(std::span<const T>);
ATTN_INSTANTIATE(float)
ATTN_INSTANTIATE(double)
#undef ATTN_INSTANTIATE

}  // namespace attn

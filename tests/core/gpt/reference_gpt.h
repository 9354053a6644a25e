// A slow, obvious version of the small GPT: plain loops over lists of lists, one formula a line. On
// dual numbers it gives the exact derivative by any one parameter.
#pragma once

#include <cmath>
#include <string>
#include <vector>

#include "core/gpt/config.h"

namespace reference {

/// value + slope · ε with ε² = 0.
struct Dual {
  double value = 0, slope = 0;
  Dual(double v = 0, double s = 0) : value(v), slope(s) {}  // NOLINT: a constant has no slope
};
inline Dual operator+(Dual a, Dual b) { return {a.value + b.value, a.slope + b.slope}; }
inline Dual operator-(Dual a, Dual b) { return {a.value - b.value, a.slope - b.slope}; }
inline Dual operator*(Dual a, Dual b) {
  return {a.value * b.value, a.slope * b.value + a.value * b.slope};
}
inline Dual operator/(Dual a, Dual b) {
  return {a.value / b.value, (a.slope * b.value - a.value * b.slope) / (b.value * b.value)};
}
inline Dual exp(Dual a) { return {std::exp(a.value), std::exp(a.value) * a.slope}; }
inline Dual log(Dual a) { return {std::log(a.value), a.slope / a.value}; }
inline Dual sqrt(Dual a) { return {std::sqrt(a.value), a.slope / (2 * std::sqrt(a.value))}; }
inline Dual tanh(Dual a) {
  const double t = std::tanh(a.value);
  return {t, (1 - t * t) * a.slope};
}

using Row = std::vector<Dual>;
using Rows = std::vector<Row>;

/// Reads tensors by name from the flat parameters.
class Parameters {
 public:
  Parameters(const attn::GptConfig& config, std::vector<Dual> flat)
      : parts_(config.parts), layout_(config), flat_(std::move(flat)) {}

  const attn::GptParts& parts() const { return parts_; }

  Dual at(const std::string& name, int row, int col) const {
    for (const attn::Tensor& tensor : layout_.tensors()) {
      if (tensor.name == name) {
        return flat_.at(tensor.offset + static_cast<std::size_t>(row * tensor.cols + col));
      }
    }
    throw std::out_of_range(name);
  }

 private:
  attn::GptParts parts_;
  attn::ParameterLayout layout_;
  std::vector<Dual> flat_;
};

inline Row normalised(const Row& x, const Parameters& p, const std::string& name) {
  if (!p.parts().layer_norm) return x;
  const double n = static_cast<double>(x.size());
  Dual mean, variance;
  for (const Dual v : x) mean = mean + v / n;
  for (const Dual v : x) variance = variance + (v - mean) * (v - mean) / n;
  Row y;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const int col = static_cast<int>(i);
    y.push_back((x[i] - mean) / sqrt(variance + 1e-5) * p.at(name + ".gain", 0, col) +
                p.at(name + ".bias", 0, col));
  }
  return y;
}

/// x W, for columns begin … end − 1 of W.
inline Row projected(const Row& x, const Parameters& p, const std::string& name, int begin,
                     int end) {
  Row y;
  for (int col = begin; col < end; ++col) {
    Dual sum;
    for (std::size_t i = 0; i < x.size(); ++i)
      sum = sum + x[i] * p.at(name, static_cast<int>(i), col);
    y.push_back(sum);
  }
  return y;
}

inline Dual product(const Row& a, const Row& b) {
  Dual sum;
  for (std::size_t i = 0; i < a.size(); ++i) sum = sum + a[i] * b[i];
  return sum;
}

inline Dual gelu(Dual x) {
  return 0.5 * x * (1.0 + tanh(std::sqrt(2 / 3.14159265358979323846) * (x + 0.044715 * x * x * x)));
}

/// Weights of one query on all positions.
inline Row weights(const Row& query, const Rows& keys, std::size_t position,
                   attn::AttentionKind kind) {
  using attn::AttentionKind;
  const double d = static_cast<double>(query.size());
  Row scores;
  for (std::size_t j = 0; j < keys.size(); ++j) {
    Dual score = product(query, keys[j]);
    if (kind == AttentionKind::kDividedByWidth) {
      score = score / d;
    } else if (kind != AttentionKind::kUnscaled && kind != AttentionKind::kScaledAfterSoftmax) {
      score = score / std::sqrt(d);
    }
    if (j > position) score = kind == AttentionKind::kHiddenAsZero ? 0 : -INFINITY;
    scores.push_back(score);
  }
  Dual total;
  for (std::size_t j = 0; j < scores.size(); ++j) {
    scores[j] = std::isinf(scores[j].value) ? Dual(0) : exp(scores[j]);
    total = total + scores[j];
  }
  for (Dual& score : scores) {
    score = score / total;
    if (kind == AttentionKind::kScaledAfterSoftmax) score = score / std::sqrt(d);
  }
  return scores;
}

/// −ln of the probability of the targets, averaged; each sequence is tokens of one length.
inline Dual loss(const attn::GptConfig& config, const Parameters& p,
                 const std::vector<std::vector<int>>& tokens,
                 const std::vector<std::vector<int>>& targets) {
  const int d = config.d_model, width = config.head_dim();
  const auto kept = [&](Dual x) { return p.parts().residual ? x : Dual(0); };
  const std::string output = p.parts().tied_output ? "tokens" : "output";
  Dual total;
  double count = 0;
  for (std::size_t s = 0; s < tokens.size(); ++s) {
    Rows x;
    for (std::size_t t = 0; t < tokens[s].size(); ++t) {
      Row row;
      for (int i = 0; i < d; ++i) {
        row.push_back(p.at("tokens", tokens[s][t], i));
        if (p.parts().positions) {
          row.back() = row.back() + p.at("positions", static_cast<int>(t), i);
        }
      }
      x.push_back(row);
    }
    for (int layer = 0; layer < config.n_layers; ++layer) {
      const std::string name = "layer" + std::to_string(layer) + ".";
      Rows joined(x.size());
      for (int h = 0; h < config.n_heads; ++h) {
        Rows queries, keys, values;
        for (const Row& row : x) {
          const Row n = normalised(row, p, name + "norm1");
          const int begin = h * width, end = begin + width;
          queries.push_back(projected(n, p, name + "qkv", begin, end));
          keys.push_back(projected(n, p, name + "qkv", d + begin, d + end));
          values.push_back(projected(n, p, name + "qkv", 2 * d + begin, 2 * d + end));
        }
        for (std::size_t t = 0; t < x.size(); ++t) {
          const Row w = weights(queries[t], keys, t, config.attention);
          for (std::size_t i = 0; i < static_cast<std::size_t>(width); ++i) {
            Dual sum;
            for (std::size_t j = 0; j < x.size(); ++j) sum = sum + w[j] * values[j][i];
            joined[t].push_back(sum);
          }
        }
      }
      for (std::size_t t = 0; t < x.size(); ++t) {
        const Row out = projected(joined[t], p, name + "project", 0, d);
        for (std::size_t i = 0; i < out.size(); ++i) x[t][i] = kept(x[t][i]) + out[i];
        Row hidden = projected(normalised(x[t], p, name + "norm2"), p, name + "up", 0, config.d_ff);
        for (std::size_t i = 0; i < hidden.size(); ++i) {
          hidden[i] = gelu(hidden[i] + p.at(name + "up.bias", 0, static_cast<int>(i)));
        }
        const Row down = projected(hidden, p, name + "down", 0, d);
        for (std::size_t i = 0; i < down.size(); ++i) {
          x[t][i] = kept(x[t][i]) + down[i] + p.at(name + "down.bias", 0, static_cast<int>(i));
        }
      }
    }
    for (std::size_t t = 0; t < x.size(); ++t) {
      const Row last = normalised(x[t], p, "norm");
      Dual sum, wanted;
      for (int c = 0; c < config.vocab_size; ++c) {
        Dual logit;
        for (int i = 0; i < d; ++i)
          logit = logit + last[static_cast<std::size_t>(i)] * p.at(output, c, i);
        sum = sum + exp(logit);
        if (c == targets[s][t]) wanted = logit;
      }
      total = total + log(sum) - wanted;
      count += 1;
    }
  }
  return total / count;
}

}  // namespace reference

#include "tests/core/digest.h"

#include <cmath>
#include <vector>

#include "core/attention.h"
#include "core/bits.h"
#include "core/cosine.h"
#include "core/decode.h"
#include "core/grouped_query.h"
#include "core/init_sweep.h"
#include "core/jacobian.h"
#include "core/latent.h"
#include "core/mask.h"
#include "core/masked_weights.h"
#include "core/math.h"
#include "core/multi_head.h"
#include "core/normal_matrix.h"
#include "core/position_table.h"
#include "core/product.h"
#include "core/recurrence.h"
#include "core/rng.h"
#include "core/rotary.h"
#include "core/scaling.h"
#include "core/sink.h"
#include "core/sinusoidal.h"
#include "core/softmax.h"
#include "core/variance.h"

namespace attn {
namespace {

class Hasher {
 public:
  void bits(std::uint64_t word) {
    for (int byte = 0; byte < 8; ++byte) {
      digest_.hash = (digest_.hash ^ (word >> (8 * byte) & 255)) * 0x100000001b3;
    }
    ++digest_.results;
  }
  // The bits of a NaN are not specified, so all NaN count as one.
  void add(double x) { bits(std::isnan(x) ? 0x7ff8000000000000 : bit_cast<std::uint64_t>(x)); }
  void add(float x) { bits(std::isnan(x) ? 0x7fc00000 : bit_cast<std::uint32_t>(x)); }
  void add(int x) { bits(static_cast<std::uint64_t>(x)); }
  void add(const std::vector<double>& list) {
    for (const double x : list) add(x);
  }
  void add(const Matrix& m) {
    for (Eigen::Index i = 0; i < m.size(); ++i) add(m.data()[i]);
  }
  void add(const std::vector<Entry>& entries) {
    for (const Entry& entry : entries) {
      add(entry.value);
      add(static_cast<int>(entry.status));
    }
  }
  void add(const AttentionTrace& trace) {
    add(trace.scores);
    add(trace.weights);
    add(trace.output);
    add(trace.entropy);
  }
  void add(const Spread& s) {
    for (const double x : {s.std, s.max_weight, s.entropy, s.jacobian_norm, s.jacobian_norm_median,
                           s.gap_above_10, s.gap_above_20, s.histogram.lo, s.histogram.hi}) {
      add(x);
    }
    for (const int count : s.histogram.counts) add(count);
  }
  const Digest& digest() const { return digest_; }

 private:
  Digest digest_;
};

template <class Real>
void add_functions(Hasher& hasher, Rng& rng, int count) {
  for (int i = 0; i < count; ++i) {
    hasher.add(exp(static_cast<Real>(-800 + 1600 * rng.uniform())));
    hasher.add(exp(static_cast<Real>(2 * rng.normal())));
    hasher.add(log(exp(static_cast<Real>(700 * (2 * rng.uniform() - 1)))));
    hasher.add(log(static_cast<Real>(2 * rng.uniform())));
    hasher.add(sin(static_cast<Real>(10 * rng.normal())));
    hasher.add(sin(static_cast<Real>(1e9 * rng.uniform())));
    hasher.add(cos(static_cast<Real>(10 * rng.normal())));
    hasher.add(cos(static_cast<Real>(1e9 * rng.uniform())));
    hasher.add(tanh(static_cast<Real>(3 * rng.normal())));
    hasher.add(tanh(static_cast<Real>(0.01 * rng.normal())));
  }
}

void add_random_numbers(Hasher& hasher, Rng& rng) {
  for (int i = 0; i < 4000; ++i) {
    hasher.bits(rng.next());
    hasher.add(rng.uniform());
    hasher.add(static_cast<int>(rng.below(300)));
    hasher.add(rng.normal());
  }
}

void add_weights(Hasher& hasher, Rng& rng) {
  for (int i = 0; i < 300; ++i) {
    std::vector<double> scores;
    for (int n = 1 + i % 12; n > 0; --n) scores.push_back(40 * rng.normal());
    for (const Method method : {Method::kShare, Method::kShift, Method::kSoftmax}) {
      for (const Precision precision : {Precision::kFloat64, Precision::kFloat32}) {
        for (const bool stable : {true, false}) {
          const auto trace =
              weigh(scores, {method, 0.5 + rng.uniform(), rng.normal(), precision, stable});
          for (const auto* list : {&trace.scores, &trace.shifted, &trace.parts, &trace.weights}) {
            hasher.add(*list);
          }
          hasher.add(std::vector{trace.shift, trace.sum});
          hasher.add(trace.entropy.value_or(-1));
          hasher.add(trace.jacobian_norm.value_or(-1));
        }
      }
    }
    for (const auto& row : compare_divisors(scores, 64)) {
      hasher.add(row.weights);
      hasher.add(row.entropy);
    }
    softmax_in_place(scores);
    const auto jacobian = softmax_jacobian(scores);
    hasher.add(jacobian.matrix);
    hasher.add(jacobian.row_sums);
    hasher.add(jacobian.norm);
  }
}

void add_attention(Hasher& hasher, Rng& rng) {
  for (int t = 1; t <= 24; ++t) {
    const Matrix x = normal_matrix(t, 12, 1, rng);
    const Matrix q = product(x, normal_matrix(12, 18, 1, rng));
    const Matrix k = product(x, normal_matrix(12, 18, 1, rng));
    const Matrix v = product(x, normal_matrix(12, 6, 1, rng));
    hasher.add(q);
    hasher.add(attention(q, k, v, causal_mask(t), true));
    hasher.add(attention(q, k, v, no_mask(t, t), false));
    for (const auto& head : multi_head_attention(q, k, v, causal_mask(t), 3, true).heads) {
      hasher.add(head);
    }
    hasher.add(cosine(row_of(q, 0), row_of(k, 0)));
  }
}

void add_masks(Hasher& hasher, Rng& rng) {
  for (int t = 2; t <= 12; ++t) {
    std::vector<int> sequence(static_cast<std::size_t>(t), 0);
    sequence.front() = kPadding;
    const Matrix mask = past_mask({sequence, t});
    const Matrix scores = normal_matrix(t, t, 1, rng);
    for (const Masking masking : {Masking::kInfinity, Masking::kZero, Masking::kAfter,
                                  Masking::kConstant, Masking::kProduct}) {
      for (const EmptyRow empty : {EmptyRow::kZero, EmptyRow::kSelf, EmptyRow::kMean}) {
        const MaskedTrace trace = masked_weights(scores, mask, masking, empty);
        hasher.add(trace.scores);
        hasher.add(trace.weights);
        for (const MaskedRow& row : trace.rows) hasher.add(row.sum);
      }
    }
  }
}

void add_latents_and_sinks(Hasher& hasher, Rng& rng) {
  for (int t = 1; t <= 12; ++t) {
    // C++ evaluates arguments in any order, so random draws are stored in variables first.
    const Matrix q = normal_matrix(1, 8, 1, rng);
    const Matrix latents = normal_matrix(t, 5, 1, rng);
    const Matrix up = normal_matrix(5, 8, 1, rng);
    const auto scores = latent_scores(row_of(q, 0), latents, up, t % 2 == 0 ? 8 : 0, 10000);
    for (const Matrix* matrix : {&scores.keys, &scores.folded}) hasher.add(*matrix);
    for (const auto* list : {&scores.expanded, &scores.each, &scores.once}) hasher.add(*list);
    const double logit = rng.normal(), gate = rng.uniform();
    const auto sink = softmax_with_sink(scores.each, logit, gate);
    hasher.add(sink.taken);
    hasher.add(std::vector{sink.sink_weight, sink.total, sink.taken_total, sink.slope});
  }
}

void add_positions(Hasher& hasher, Rng& rng) {
  for (const int d : {4, 16, 64}) {
    const Matrix q = normal_matrix(5, d, 1, rng);
    const Matrix k = normal_matrix(5, d, 1, rng);
    const std::vector<double> query_positions{3, 50, 1000, 1e5, 1 << 20};
    const std::vector<double> key_positions{0, 47, 997, 1e5 - 3, (1 << 20) - 3};
    const Matrix turned_q = rotate(q, query_positions, d / 2, 10000),
                 turned_k = rotate(k, key_positions, d, 10000);
    hasher.add(turned_q);
    hasher.add(row_products(turned_q, turned_k));
    hasher.add(add_sinusoidal(q, query_positions, 10000));
    hasher.add(wavelengths(d, 10000));
    hasher.add(
        add_table_rows(q, normal_matrix(8, d, 0.02, 20261014, 3), std::vector{7., 0., 3., 3., 1.}));
  }
}

void add_decoding(Hasher& hasher, Rng& rng) {
  const Matrix tokens = normal_matrix(12, 8, 1, rng);
  Decoder decoder;
  decoder.heads = 2;
  decoder.layers = 3;
  for (Matrix* w : {&decoder.w_q, &decoder.w_k, &decoder.w_v, &decoder.w_o}) {
    *w = normal_matrix(8, 8, 1, rng);
  }
  for (const bool cached : {true, false}) {
    for (const auto& step :
         decode(tokens, decoder, {.prompt = 4, .generated = 9, .cached = cached})) {
      hasher.add(step.output);
      hasher.add(step.computed);
      hasher.add(step.repeated);
    }
  }
}

void add_groups(Hasher& hasher, Rng& rng) {
  for (const int groups : {8, 4, 2, 1}) {
    const Matrix q = normal_matrix(10, 32, 1, rng), k = normal_matrix(10, 32, 1, rng);
    const Matrix v = normal_matrix(10, 24, 1, rng);
    const auto trace = grouped_query_attention(
        q, pool_heads(k, 8, groups), pool_heads(v, 8, groups), causal_mask(10), 8, groups, true);
    hasher.add(trace.output);
    for (const auto& head : trace.heads) hasher.add(head);
  }
}

void add_recurrence(Hasher& hasher, Rng& rng) {
  for (const double scale : {0.3, 0.7, 1.5}) {
    const Matrix x = normal_matrix(40, 6, 1, rng), w_x = normal_matrix(6, 10, 1, rng);
    const auto read = recurrence(x, w_x, scale * normal_matrix(10, 10, 1, rng));
    hasher.add(read.states);
    hasher.add(read.reach);
    hasher.add(serial_cost(200, scale < 1 ? scale : 1).left);
  }
}

void add_experiments(Hasher& hasher) {
  for (const auto& row : variance_experiment(std::vector{4, 64, 256}, 20261014, 2000, 5)) {
    hasher.add(row.raw);
    hasher.add(row.scaled);
  }
  for (const auto& row : init_sweep(std::vector{32, 64}, 0.02, 20261014)) {
    hasher.add(std::vector{row.std, row.entropy, row.jacobian_norm});
  }
}

}  // namespace

Digest core_digest() {
  Hasher hasher;
  Rng rng(1);
  add_functions<double>(hasher, rng, 4000);
  add_functions<float>(hasher, rng, 4000);
  add_random_numbers(hasher, rng);
  add_weights(hasher, rng);
  add_attention(hasher, rng);
  add_masks(hasher, rng);
  add_latents_and_sinks(hasher, rng);
  add_positions(hasher, rng);
  add_decoding(hasher, rng);
  add_groups(hasher, rng);
  add_recurrence(hasher, rng);
  add_experiments(hasher);
  return hasher.digest();
}

std::string core_digest_text() {
  const Digest digest = core_digest();
  std::string text;
  for (int shift = 60; shift >= 0; shift -= 4) {
    text.push_back("0123456789abcdef"[digest.hash >> shift & 15]);
  }
  return text.append(" ").append(std::to_string(digest.results));
}

}  // namespace attn

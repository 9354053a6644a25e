#include "core/init_sweep.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "core/check.h"
#include "core/entropy.h"
#include "core/jacobian.h"
#include "core/normal_matrix.h"
#include "core/product.h"
#include "core/rng.h"
#include "core/softmax.h"

namespace attn {
namespace {

constexpr int kTokens = 32;
constexpr int kBatch = 8;
constexpr int kVocabulary = 300;
constexpr double kLayerNormEpsilon = 1e-5;

struct Measurement {
  double std = 0, entropy = 0, jacobian_norm = 0;
};

Measurement measure(int d, double sigma, Rng& rng) {
  const Matrix embedding = normal_matrix(kVocabulary, d, sigma, rng);
  const Matrix position = normal_matrix(kTokens, d, sigma, rng);
  const Matrix w_q = normal_matrix(d, d, sigma, rng);
  const Matrix w_k = normal_matrix(d, d, sigma, rng);

  Matrix x(kBatch * kTokens, d);
  for (Eigen::Index i = 0; i < x.rows(); ++i) {
    auto row = x.row(i);
    row = embedding.row(static_cast<Eigen::Index>(rng.below(kVocabulary))) +
          position.row(i % kTokens);
    row.array() -= row.sum() / d;
    row /= std::sqrt(row.squaredNorm() / d + kLayerNormEpsilon);
  }
  const Matrix q = product(x, w_q), k = product(x, w_k);

  double count = 0, sum = 0, squares = 0;
  Measurement result;
  for (Eigen::Index first = 0; first < x.rows(); first += kTokens) {
    Matrix scores = product(q.middleRows(first, kTokens), k.middleRows(first, kTokens).transpose());
    for (int i = 0; i < kTokens; ++i) {
      const int visible = i + 1;
      const std::span row = row_of(scores, i).first(static_cast<std::size_t>(visible));
      for (const double logit : row) {
        count += 1;
        sum += logit;
        squares += logit * logit;
      }
      softmax_in_place(row);
      result.entropy += normalized_entropy(row, visible);
      result.jacobian_norm += softmax_jacobian_norm(row);
    }
  }
  const double mean = sum / count;
  result.std = std::sqrt(squares / count - mean * mean);
  result.entropy /= kBatch * (kTokens - 1);
  result.jacobian_norm /= kBatch * kTokens;
  return result;
}

}  // namespace

std::vector<InitSweepRow> init_sweep(std::span<const int> dims, double sigma, std::uint64_t seed) {
  if (dims.empty()) refuse("dims", "at least one number", "none");
  if (!(sigma > 0 && sigma <= 10)) refuse("sigma", "a number above 0, at most 10", text_of(sigma));
  std::vector<InitSweepRow> rows(dims.size());
  for (std::size_t i = 0; i < dims.size(); ++i) {
    const int d = dims[i];
    if (d < 2 || d > 1024) {
      refuse(item_of("dims", i), "2 to 1024", text_of(d));
    }
    Rng rng(seed, static_cast<std::uint64_t>(d));
    const int models = std::max(1, 256 / d);
    Measurement mean;
    for (int model = 0; model < models; ++model) {
      const Measurement one = measure(d, sigma, rng);
      mean.std += one.std / models;
      mean.entropy += one.entropy / models;
      mean.jacobian_norm += one.jacobian_norm / models;
    }
    const double root = std::sqrt(static_cast<double>(d));
    rows[i] = {d, mean.std, sigma * sigma * d * root, root, mean.entropy, mean.jacobian_norm};
  }
  return rows;
}

}  // namespace attn

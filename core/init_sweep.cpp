#include "core/init_sweep.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "core/check.h"
#include "core/entropy.h"
#include "core/jacobian.h"
#include "core/product.h"
#include "core/rng.h"
#include "core/softmax.h"

namespace attn {
namespace {

constexpr int kTokens = 32;
constexpr int kBatch = 8;
constexpr int kVocabulary = 300;
constexpr double kLayerNormEpsilon = 1e-5;

Matrix random_matrix(Eigen::Index rows, Eigen::Index cols, double sigma, Rng& rng) {
  Matrix matrix(rows, cols);
  for (Eigen::Index i = 0; i < matrix.size(); ++i) matrix.data()[i] = sigma * rng.normal();
  return matrix;
}

void layer_norm_in_place(std::span<double> row) {
  const auto n = static_cast<double>(row.size());
  double sum = 0, squares = 0;
  for (const double x : row) sum += x;
  for (double& x : row) {
    x -= sum / n;
    squares += x * x;
  }
  const double scale = std::sqrt(squares / n + kLayerNormEpsilon);
  for (double& x : row) x /= scale;
}

struct Measurement {
  double std = 0, entropy = 0, jacobian_norm = 0;
};

Measurement measure(int d, double sigma, Rng& rng) {
  const Matrix embedding = random_matrix(kVocabulary, d, sigma, rng);
  const Matrix position = random_matrix(kTokens, d, sigma, rng);
  const Matrix w_q = random_matrix(d, d, sigma, rng);
  const Matrix w_k = random_matrix(d, d, sigma, rng);

  Matrix x(kBatch * kTokens, d);
  for (Eigen::Index row = 0; row < x.rows(); ++row) {
    x.row(row) = embedding.row(static_cast<Eigen::Index>(rng.below(kVocabulary))) +
                 position.row(row % kTokens);
    layer_norm_in_place({x.row(row).data(), static_cast<std::size_t>(d)});
  }
  const Matrix q = product(x, w_q), k = product(x, w_k);

  double count = 0, sum = 0, squares = 0;
  Measurement result;
  std::vector<double> logits;
  for (Eigen::Index row = 0; row < x.rows(); ++row) {
    const Eigen::Index visible = row % kTokens + 1;
    logits.clear();
    for (Eigen::Index key = row + 1 - visible; key <= row; ++key) {
      logits.push_back(dot(row_of(q, row), row_of(k, key)));
      count += 1;
      sum += logits.back();
      squares += logits.back() * logits.back();
    }
    softmax_in_place(logits);
    result.entropy += normalized_entropy(logits, static_cast<int>(visible));
    result.jacobian_norm += softmax_jacobian_norm(logits);
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

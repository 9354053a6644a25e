#include "core/variance.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "core/check.h"
#include "core/entropy.h"
#include "core/jacobian.h"
#include "core/rng.h"
#include "core/softmax.h"

namespace attn {
namespace {

constexpr int kBins = 80;
/// Half of the axis of scaled products.
constexpr double kScaledHalfWidth = 4;

void require_range(const std::string& name, std::int64_t value, std::int64_t lowest,
                   std::int64_t highest) {
  if (value < lowest || value > highest) {
    refuse(name, text_of(lowest) + " to " + text_of(highest), text_of(value));
  }
}

void require_arguments(std::span<const int> dims, int samples, int keys) {
  if (dims.empty()) refuse("dims", "at least one number", "none");
  require_range("keys", keys, 2, 64);
  std::int64_t draws = 0;
  for (std::size_t i = 0; i < dims.size(); ++i) {
    require_range(item_of("dims", i), dims[i], 1, 4096);
    draws += static_cast<std::int64_t>(dims[i]) * (keys + 1);
  }
  require_range("samples", samples, 1, 1000000000 / draws);
}

/// (samples · keys) products q·k, row after row.
std::vector<double> draw_products(int d, std::uint64_t seed, int samples, int keys) {
  Rng rng(seed, static_cast<std::uint64_t>(d));
  std::vector<double> query(static_cast<std::size_t>(d)), products;
  products.reserve(static_cast<std::size_t>(samples) * static_cast<std::size_t>(keys));
  for (int row = 0; row < samples; ++row) {
    for (double& component : query) component = rng.normal();
    for (int key = 0; key < keys; ++key) {
      double product = 0;
      for (const double component : query) product += component * rng.normal();
      products.push_back(product);
    }
  }
  return products;
}

double standard_deviation(const std::vector<double>& values) {
  const auto n = static_cast<double>(values.size());
  double sum = 0, squares = 0;
  for (const double x : values) sum += x;
  const double mean = sum / n;
  for (const double x : values) squares += (x - mean) * (x - mean);
  return std::sqrt(squares / n);
}

/// Moves to `position` the value that sorting would put there, with none larger before it and none
/// smaller after it. Source: Hoare, "Algorithm 65: Find", 1961. A tenth of the code of
/// std::nth_element.
void select(std::span<double> values, std::ptrdiff_t position) {
  double* first = values.data();
  double* last = first + values.size() - 1;
  double* const middle = first + position;
  while (first < last) {
    const double pivot = *middle;
    double *low = first, *high = last;
    while (low <= high) {
      while (*low < pivot) ++low;
      while (*high > pivot) --high;
      if (low <= high) std::swap(*low++, *high--);
    }
    if (high < middle) first = low;
    if (middle < low) last = high;
  }
}

double median(std::vector<double> values) {
  const auto middle = static_cast<std::ptrdiff_t>(values.size() / 2);
  select(values, middle);
  const auto upper = values.begin() + middle;
  if (values.size() % 2 == 1) return *upper;
  return (*std::max_element(values.begin(), upper) + *upper) / 2;
}

/// −1 below the axis, kBins above it.
int bin_of(double x, double half_width) {
  if (x < -half_width) return -1;
  if (x > half_width) return kBins;
  return std::min(static_cast<int>((x + half_width) / (2 * half_width) * kBins), kBins - 1);
}

Histogram histogram_of(const std::vector<double>& values, double half_width) {
  Histogram histogram{-half_width, half_width, std::vector<int>(kBins), 0, 0};
  for (const double x : values) {
    const int bin = bin_of(x, half_width);
    if (bin < 0) {
      ++histogram.below;
    } else if (bin == kBins) {
      ++histogram.above;
    } else {
      ++histogram.counts[static_cast<std::size_t>(bin)];
    }
  }
  return histogram;
}

Spread spread_of(const std::vector<double>& products, int keys, double half_width) {
  Spread spread{};
  spread.std = standard_deviation(products);
  spread.histogram = histogram_of(products, half_width);
  const auto width = static_cast<std::size_t>(keys);
  std::vector<double> norms, weights(width);
  std::int64_t pairs = 0, above_10 = 0, above_20 = 0;
  for (std::size_t start = 0; start < products.size(); start += width) {
    const std::span row(products.data() + start, width);
    for (std::size_t i = 0; i < width; ++i) {
      for (std::size_t j = 0; j < i; ++j) {
        const double gap = std::abs(row[i] - row[j]);
        ++pairs;
        above_10 += gap > 10;
        above_20 += gap > 20;
      }
    }
    std::copy(row.begin(), row.end(), weights.begin());
    softmax_in_place(weights);
    spread.max_weight += *std::max_element(weights.begin(), weights.end());
    spread.entropy += normalized_entropy(weights, keys);
    norms.push_back(softmax_jacobian_norm(weights));
    spread.jacobian_norm += norms.back();
  }
  const auto rows = static_cast<double>(norms.size());
  spread.max_weight /= rows;
  spread.entropy /= rows;
  spread.jacobian_norm /= rows;
  spread.jacobian_norm_median = median(std::move(norms));
  spread.gap_above_10 = static_cast<double>(above_10) / static_cast<double>(pairs);
  spread.gap_above_20 = static_cast<double>(above_20) / static_cast<double>(pairs);
  return spread;
}

}  // namespace

std::vector<VarianceRow> variance_experiment(std::span<const int> dims, std::uint64_t seed,
                                             int samples, int keys) {
  require_arguments(dims, samples, keys);
  const double largest = *std::max_element(dims.begin(), dims.end());
  const double raw_half_width = std::ceil(4 * std::sqrt(largest));
  std::vector<VarianceRow> rows(dims.size());
  for (std::size_t i = 0; i < dims.size(); ++i) {
    VarianceRow& row = rows[i];
    row.d = dims[i];
    std::vector<double> products = draw_products(row.d, seed, samples, keys);
    row.raw = spread_of(products, keys, raw_half_width);
    const double root = std::sqrt(static_cast<double>(row.d));
    for (double& product : products) product /= root;
    row.scaled = spread_of(products, keys, kScaledHalfWidth);
  }
  return rows;
}

std::vector<int> product_bins(int d, std::uint64_t seed, int count, int keys) {
  require_range("d", d, 1, 4096);
  require_range("count", count, 1, 4096);
  require_range("keys", keys, 2, 64);
  std::vector<double> products = draw_products(d, seed, (count + keys - 1) / keys, keys);
  products.resize(static_cast<std::size_t>(count));
  const double root = std::sqrt(static_cast<double>(d));
  std::vector<int> bins;
  for (const double product : products) bins.push_back(bin_of(product / root, kScaledHalfWidth));
  return bins;
}

}  // namespace attn

#include "core/variance.h"

#include <doctest/doctest.h>

#include <cmath>
#include <numeric>
#include <stdexcept>

using attn::variance_experiment;

namespace {

constexpr std::uint64_t kSeed = 20261014;

std::vector<attn::VarianceRow> run(std::vector<int> dims, int samples = 2000, int keys = 5,
                                   std::uint64_t seed = kSeed) {
  return variance_experiment(dims, seed, samples, keys);
}

}  // namespace

TEST_CASE("products of d components have standard deviation √d, and 1 after ÷√d") {
  for (const auto& row : run({4, 64, 256})) {
    CAPTURE(row.d);
    // E p⁴ = 3(d² + 2d), and the squares of a query's five products share |q|²: so the mean of p²/d
    // over 10,000 products has variance (2 + 6/d + 4 · 2/d) ÷ 10⁴. Half of that relative error is
    // the standard deviation's; four of them are allowed.
    const double tolerance = 4 * 0.5 * std::sqrt((2 + 14.0 / row.d) / 1e4);
    CHECK(std::abs(row.raw.std / std::sqrt(row.d) - 1) < tolerance);
    CHECK(row.scaled.std == doctest::Approx(row.raw.std / std::sqrt(row.d)).epsilon(1e-12));
  }
}

TEST_CASE("statistics of the softmax of the rows agree with an independent simulation") {
  // Means over 4,000 rows of 5 keys, drawn by another program with other random numbers: maximum
  // weight, entropy, ‖J‖, its median. Their spread between runs of 2,000 rows is below 0.015, that
  // of the median below 0.02.
  struct Expected {
    int d;
    double raw[4], scaled[3];
  };
  const Expected expected[] = {{4, {0.607, 0.609, 0.341, 0.399}, {0.440, 0.828, 0.394}},
                               {64, {0.897, 0.159, 0.131, 0.034}, {0.458, 0.815, 0.395}},
                               {256, {0.950, 0.075, 0.067, 0.0005}, {0.460, 0.814, 0.396}}};
  const auto rows = run({4, 64, 256});
  for (std::size_t i = 0; i < 3; ++i) {
    const auto &raw = rows[i].raw, &scaled = rows[i].scaled;
    CAPTURE(rows[i].d);
    CHECK(std::abs(raw.max_weight - expected[i].raw[0]) < 0.015);
    CHECK(std::abs(raw.entropy - expected[i].raw[1]) < 0.015);
    CHECK(std::abs(raw.jacobian_norm - expected[i].raw[2]) < 0.015);
    CHECK(std::abs(raw.jacobian_norm_median - expected[i].raw[3]) < 0.02);
    CHECK(std::abs(scaled.max_weight - expected[i].scaled[0]) < 0.015);
    CHECK(std::abs(scaled.entropy - expected[i].scaled[1]) < 0.015);
    CHECK(std::abs(scaled.jacobian_norm - expected[i].scaled[2]) < 0.015);
  }
}

TEST_CASE("gaps of two scores follow a normal of standard deviation √(2d)") {
  // P(|gap| > g) = erfc(g ÷ (√2 √(2d))): 0.659 and 0.377 at d = 256. Two keys of one query give
  // gaps of standard deviation |q|√2, nearly normal at this d. The 20,000 pairs of 2,000 rows hang
  // together, so the standard error is that of about 2,000 · 2 free values: 0.0077.
  const auto raw = run({256})[0].raw;
  CHECK(std::abs(raw.gap_above_10 - std::erfc(10 / std::sqrt(4 * 256))) < 4 * 0.0077);
  CHECK(std::abs(raw.gap_above_20 - std::erfc(20 / std::sqrt(4 * 256))) < 4 * 0.0077);
}

TEST_CASE("histograms hold every product, raw ones on one axis") {
  const auto rows = run({4, 256}, 300, 7);
  for (const auto& row : rows) {
    for (const auto* spread : {&row.raw, &row.scaled}) {
      const auto& h = spread->histogram;
      CHECK(std::accumulate(h.counts.begin(), h.counts.end(), h.below + h.above) == 300 * 7);
    }
    CHECK(row.raw.histogram.lo == -64);  // 4 √256
    CHECK(row.raw.histogram.hi == 64);
    CHECK(row.scaled.histogram.hi == 4);
  }
}

TEST_CASE("the numbers of a dimension do not depend on the others; another seed changes them") {
  CHECK(run({64})[0].raw.std == run({4, 64})[1].raw.std);
  CHECK(run({64})[0].raw.std != run({64}, 2000, 5, kSeed + 1)[0].raw.std);
}

TEST_CASE("the first products fall into the bins of the scaled histogram") {
  // All products of a run, told one by one, are its histogram.
  const int products = 60 * 5;
  const auto scaled = run({16}, 60)[0].scaled.histogram;
  std::vector<int> counts(scaled.counts.size());
  int below = 0, above = 0;
  for (const int bin : attn::product_bins(16, kSeed, products, 5)) {
    if (bin < 0) {
      ++below;
    } else if (bin == static_cast<int>(counts.size())) {
      ++above;
    } else {
      ++counts[static_cast<std::size_t>(bin)];
    }
  }
  CHECK(counts == scaled.counts);
  CHECK(below == scaled.below);
  CHECK(above == scaled.above);
  // Fewer of them are the first ones, also when they end within a row.
  const auto all = attn::product_bins(16, kSeed, products, 5);
  CHECK(attn::product_bins(16, kSeed, 7, 5) == std::vector<int>(all.begin(), all.begin() + 7));
  CHECK_THROWS_WITH_AS(attn::product_bins(16, kSeed, 0, 5), "count: expected 1 to 4096, got 0",
                       std::invalid_argument);
}

TEST_CASE("arguments out of range are refused by name") {
  CHECK_THROWS_WITH_AS(run({}), "dims: expected at least one number, got none",
                       std::invalid_argument);
  CHECK_THROWS_WITH_AS(run({4, 0}), "dims[1]: expected 1 to 4096, got 0", std::invalid_argument);
  CHECK_THROWS_WITH_AS(run({4}, 0), "samples: expected 1 to 41666666, got 0",
                       std::invalid_argument);  // 10⁹ ÷ (4 · 6)
  CHECK_THROWS_WITH_AS(run({4}, 10, 1), "keys: expected 2 to 64, got 1", std::invalid_argument);
}

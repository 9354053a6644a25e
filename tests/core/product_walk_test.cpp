#include "core/product_walk.h"

#include <doctest/doctest.h>

#include <cmath>
#include <stdexcept>

#include "core/rng.h"

using attn::Matrix;
using attn::product_walks;

namespace {

constexpr std::uint64_t kSeed = 20261014;

Matrix run(std::vector<int> stops, int keys = 5) { return product_walks(stops, kSeed, keys); }

}  // namespace

TEST_CASE("walks are the sums of the terms q_r k_r, in the order of the draws") {
  // The slow obvious version: both vectors written out, multiplied and added.
  constexpr int d = 7, keys = 3;
  attn::Rng rng(kSeed, 4097);
  double query[d], key[keys][d];
  for (int r = 0; r < d; ++r) {
    query[r] = rng.normal();
    for (auto& components : key) components[r] = rng.normal();
  }
  const Matrix walks = run({1, 2, 3, 4, 5, 6, 7}, keys);
  for (int k = 0; k < keys; ++k) {
    double sum = 0;
    for (int r = 0; r < d; ++r) {
      sum += query[r] * key[k][r];
      CHECK(walks(r, k) == sum);
    }
  }
}

TEST_CASE("a longer walk goes on where the shorter one ends") {
  const Matrix all = run({1, 16, 16, 256});
  CHECK(all.row(1) == all.row(2));
  CHECK(all.row(1) == run({16}).row(0));
  CHECK(all.row(3) == run({256}).row(0));
}

TEST_CASE("walks of n components spread like √n") {
  // Given the query, products of 64 keys are independent normals of variance |q|², and |q|² of 4096
  // components is 4096 within 2.2 %. Their mean square has the relative standard error √(2 ÷ 64);
  // four of them are allowed.
  const Matrix walks = run({4096}, 64);
  CHECK(std::abs(walks.squaredNorm() / 64 / 4096 - 1) < 4 * std::sqrt(2.0 / 64));
}

TEST_CASE("arguments of walks out of range are refused by name") {
  CHECK_THROWS_WITH_AS(run({}), "stops: expected at least one number, got none",
                       std::invalid_argument);
  CHECK_THROWS_WITH_AS(run({4, 3}), "stops[1]: expected 4 to 4096, got 3", std::invalid_argument);
  CHECK_THROWS_WITH_AS(run({0}), "stops[0]: expected 1 to 4096, got 0", std::invalid_argument);
  CHECK_THROWS_WITH_AS(run({4097}), "stops[0]: expected 1 to 4096, got 4097",
                       std::invalid_argument);
  CHECK_THROWS_WITH_AS(run({1}, 65), "keys: expected 1 to 64, got 65", std::invalid_argument);
}

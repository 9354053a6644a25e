#include "core/online_softmax.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <vector>

#include "core/rng.h"
#include "core/softmax.h"

using attn::online_softmax;
using Vector = std::vector<double>;

TEST_CASE("online softmax: blocks 1, 3 and 2 by hand") {
  // Block 1, 3: m = 3, ℓ = e⁻² + 1. Block 2: m stays 3, factor 1, ℓ = e⁻² + 1 + e⁻¹.
  const auto trace = online_softmax(Vector{1, 3, 2}, 2);
  REQUIRE(trace.blocks.size() == 2);
  CHECK(trace.blocks[0].max == 3);
  CHECK(trace.blocks[0].sum == doctest::Approx(1.1353352832));
  CHECK(trace.blocks[1].begin == 2);
  CHECK(trace.blocks[1].end == 3);
  CHECK(trace.blocks[1].block_max == 2);
  CHECK(trace.blocks[1].max == 3);
  CHECK(trace.blocks[1].correction == 1);
  CHECK(trace.blocks[1].sum == doctest::Approx(1.5032147244));
  CHECK(trace.weights[1] == doctest::Approx(0.6652409558));
}

TEST_CASE("online softmax: a larger score in a later block shrinks the old sum by e^(old − new)") {
  // After 1, 3 comes 5: factor e⁻², ℓ = (e⁻² + 1) e⁻² + 1 = e⁻⁴ + e⁻² + 1.
  const auto trace = online_softmax(Vector{1, 3, 5}, 2);
  CHECK(trace.blocks[1].correction == doctest::Approx(std::exp(-2.0)));
  CHECK(trace.blocks[1].sum == doctest::Approx(std::exp(-4.0) + std::exp(-2.0) + 1));
}

TEST_CASE("online softmax agrees with softmax for every size of block") {
  attn::Rng rng(18);
  for (int round = 0; round < 100; ++round) {
    Vector scores(1 + rng.below(40));
    for (double& s : scores) s = 300 * rng.normal();
    Vector weights = scores;
    attn::softmax_in_place(weights);
    for (int size = 1; size <= static_cast<int>(scores.size()) + 1; ++size) {
      const auto trace = online_softmax(scores, size);
      double largest = 0;
      for (std::size_t i = 0; i < scores.size(); ++i) {
        largest = std::max(largest, std::abs(trace.weights[i] - weights[i]));
      }
      // Each of at most 40 blocks rounds the sum a few times by 2⁻⁵³.
      CHECK(largest < 200 * 0x1p-53);
    }
    // One block is softmax itself, bit for bit.
    CHECK(online_softmax(scores, 64).weights == weights);
  }
}

TEST_CASE("online softmax: bad arguments are refused by name") {
  CHECK_THROWS_WITH_AS(online_softmax(Vector{1}, 0), "block_size: expected at least 1, got 0",
                       std::invalid_argument);
  CHECK_THROWS_AS(online_softmax(Vector{}, 1), std::invalid_argument);
  CHECK_THROWS_AS(online_softmax(Vector{1, NAN}, 1), std::invalid_argument);
}

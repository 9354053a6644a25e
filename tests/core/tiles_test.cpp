#include "core/tiles.h"

#include <doctest/doctest.h>

#include <cmath>
#include <stdexcept>

#include "core/attention.h"
#include "core/mask.h"
#include "core/normal_matrix.h"

using attn::Matrix;
using attn::tiled_attention;

namespace {

Matrix column(std::initializer_list<double> values) {
  Matrix made(static_cast<Eigen::Index>(values.size()), 1);
  Eigen::Index row = 0;
  for (const double value : values) made(row++, 0) = value;
  return made;
}

}  // namespace

TEST_CASE("tiles: one query over keys 1, 3 and 2 in blocks of two, by hand") {
  // d = 1 and q = 1, so the scores are the keys. First tile: m = 3, ℓ = e⁻² + 1, the values 10 and
  // 20 give (10 e⁻² + 20) ÷ ℓ. Second tile: m stays, ℓ grows by e⁻¹.
  const auto trace =
      tiled_attention(column({1}), column({1, 3, 2}), column({10, 20, 40}), attn::no_mask(1, 3), 2);
  REQUIRE(trace.tiles.size() == 2);
  const auto& first = trace.tiles[0];
  const double e1 = std::exp(-1.0), e2 = std::exp(-2.0);
  CHECK(first.pairs == 2);
  CHECK(first.max[0] == 3);
  CHECK(first.sum[0] == doctest::Approx(e2 + 1));
  CHECK(first.terms(0, 0) == doctest::Approx(e2));
  CHECK(first.output(0, 0) == doctest::Approx((10 * e2 + 20) / (e2 + 1)));
  const auto& second = trace.tiles[1];
  CHECK(second.before[0] == 3);
  CHECK(second.max[0] == 3);
  CHECK(second.sum[0] == doctest::Approx(e2 + 1 + e1));
  CHECK(trace.output(0, 0) == doctest::Approx((10 * e2 + 20 + 40 * e1) / (e2 + 1 + e1)));
  // One query: q, output, m and ℓ. Two keys with their values, two scores.
  CHECK(trace.held == 1 + 1 + 2 + 2 * 2 + 2);
}

TEST_CASE("tiles: tiles without a visible pair are skipped and change nothing") {
  // Causal, four tokens in blocks of two: of four tiles, the one right above the diagonal is empty.
  const auto walk = attn::tile_walk({4, 3, 2, {4, 0, 0}, 7});
  REQUIRE(walk.trace.tiles.size() == 4);
  CHECK(walk.trace.tiles[0].pairs == 3);
  CHECK(walk.trace.tiles[1].pairs == 0);
  CHECK(walk.trace.tiles[2].pairs == 4);
  CHECK(walk.trace.tiles[3].pairs == 3);
  CHECK(walk.trace.tiles[1].sum == walk.trace.tiles[0].sum);
  CHECK(walk.trace.tiles[1].output == walk.trace.tiles[0].output);
  CHECK(walk.trace.tiles[1].terms.isZero(0));
}

TEST_CASE("tiles: the output is that of attention for every size of tile and every rule") {
  for (int n = 1; n <= 13; ++n) {
    for (const attn::SparseRule& rule :
         {attn::SparseRule{n, 0, 0}, {1, 0, 0}, {3, 0, 0}, {2, 3, 0}, {2, 0, 2}, {1, 4, 1}}) {
      for (int block = 1; block <= n + 1; ++block) {
        const auto walk =
            attn::tile_walk({n, 5, block, rule, static_cast<std::uint32_t>(n * 100 + block)});
        // Values of a standard normal stay below 6, and each of 13 terms rounds a few times.
        REQUIRE(walk.difference < 200 * 0x1p-53);
        int pairs = 0;
        for (const auto& tile : walk.trace.tiles) pairs += tile.pairs;
        REQUIRE(pairs == attn::sparse_pairs(n, rule));
      }
    }
  }
}

TEST_CASE("tiles: large scores neither overflow nor vanish") {
  // The first block holds a score of 800, whose exponential no double can hold.
  const Matrix k = column({800, -800, 799}), v = column({1, 2, 3});
  const auto trace = tiled_attention(column({1}), k, v, attn::no_mask(1, 3), 1);
  const double share = 1 / (1 + std::exp(-1.0));
  CHECK(trace.output(0, 0) == doctest::Approx(share + 3 * (1 - share)));
}

TEST_CASE("tiles: bad arguments are refused by name") {
  const Matrix one = column({1});
  CHECK_THROWS_WITH_AS(tiled_attention(one, one, one, attn::no_mask(1, 1), 0),
                       "block: expected at least 1, got 0", std::invalid_argument);
  CHECK_THROWS_AS(tiled_attention(one, Matrix::Ones(1, 2), one, attn::no_mask(1, 1), 1),
                  std::invalid_argument);
  CHECK_THROWS_AS(tiled_attention(one, one, column({1, 2}), attn::no_mask(1, 1), 1),
                  std::invalid_argument);
  CHECK_THROWS_AS(tiled_attention(one, one, one, Matrix::Constant(1, 1, attn::kHidden), 1),
                  std::invalid_argument);
  CHECK_THROWS_AS(attn::tile_walk({0, 4, 4, {1, 0, 0}, 1}), std::invalid_argument);
}

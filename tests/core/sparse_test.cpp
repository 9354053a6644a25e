#include "core/sparse.h"

#include <doctest/doctest.h>

#include <stdexcept>

#include "core/mask.h"

using attn::Matrix;
using attn::sparse_mask;
using attn::sparse_pairs;
using attn::SparseRule;

namespace {

std::int64_t counted(const Matrix& mask) { return (mask.array() == 0).count(); }

}  // namespace

TEST_CASE("sparse: six tokens by hand") {
  // A window of 2 has 1 + 5 · 2 pairs. A stride of 3 adds distance 3 (rows 3, 4, 5); distance 0 is
  // in the window. One global position adds rows 2 … 5, of which row 3 already has distance 3.
  CHECK(sparse_pairs(6, {2, 0, 0}) == 11);
  CHECK(sparse_pairs(6, {2, 3, 0}) == 14);
  CHECK(sparse_pairs(6, {2, 3, 1}) == 17);
  const Matrix mask = sparse_mask(6, {2, 3, 1});
  CHECK(mask(5, 2) == 0);
  CHECK(mask(5, 0) == 0);
  CHECK(mask(5, 3) == attn::kHidden);
  CHECK(mask(2, 3) == attn::kHidden);
}

TEST_CASE("sparse: the count agrees with the table for every rule") {
  for (int n = 1; n <= 18; ++n) {
    for (int window = 1; window <= n + 1; ++window) {
      for (int stride = 0; stride <= n + 1; ++stride) {
        for (int global = 0; global <= n + 1; ++global) {
          const SparseRule rule{window, stride, global};
          REQUIRE(sparse_pairs(n, rule) == counted(sparse_mask(n, rule)));
        }
      }
    }
    // A window as long as the text is the causal mask.
    CHECK(sparse_mask(n, {n, 0, 0}) == attn::causal_mask(n));
  }
}

TEST_CASE("sparse: bad numbers are refused by name") {
  CHECK_THROWS_WITH_AS(sparse_pairs(0, {}), "n: expected at least 1, got 0", std::invalid_argument);
  CHECK_THROWS_AS(sparse_mask(3, {0, 0, 0}), std::invalid_argument);
  CHECK_THROWS_AS(sparse_mask(3, {1, -1, 0}), std::invalid_argument);
}

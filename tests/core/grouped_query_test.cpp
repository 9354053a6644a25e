#include "core/grouped_query.h"

#include <doctest/doctest.h>

#include <cmath>
#include <stdexcept>

#include "core/mask.h"
#include "core/normal_matrix.h"
#include "core/rng.h"

using attn::grouped_query_attention;
using attn::Matrix;
using attn::normal_matrix;
using attn::pool_heads;

TEST_CASE("grouped queries: as many groups as heads is multi-head attention, to the last bit") {
  attn::Rng rng(41);
  const Matrix q = normal_matrix(6, 12, 1, rng), k = normal_matrix(6, 12, 1, rng);
  const Matrix v = normal_matrix(6, 8, 1, rng), mask = attn::causal_mask(6);
  const auto grouped = grouped_query_attention(q, k, v, mask, 4, 4, true);
  const auto plain = attn::multi_head_attention(q, k, v, mask, 4, true);
  CHECK(grouped.output == plain.output);
  REQUIRE(grouped.heads.size() == 4);
  for (std::size_t h = 0; h < 4; ++h) CHECK(grouped.heads[h].weights == plain.heads[h].weights);
}

TEST_CASE("grouped queries: a shared key-value head equals a copy for each of its query heads") {
  attn::Rng rng(42);
  const Matrix q = normal_matrix(5, 12, 1, rng), k = normal_matrix(5, 4, 1, rng);
  const Matrix v = normal_matrix(5, 6, 1, rng), mask = attn::causal_mask(5);
  // Six query heads of width 2 in two groups of three.
  Matrix copied_k(5, 12), copied_v(5, 18);
  for (int head = 0; head < 6; ++head) {
    copied_k.middleCols(2 * head, 2) = k.middleCols(head < 3 ? 0 : 2, 2);
    copied_v.middleCols(3 * head, 3) = v.middleCols(head < 3 ? 0 : 3, 3);
  }
  CHECK(grouped_query_attention(q, k, v, mask, 6, 2, true).output ==
        attn::multi_head_attention(q, copied_k, copied_v, mask, 6, true).output);
}

TEST_CASE("grouped queries: one set of keys, and a softmax for each head") {
  // Keys 1 and 0, values 10 and 20; queries 2 and −2 score (2, 0) and (−2, 0).
  const auto trace = grouped_query_attention(Matrix{{2, -2}}, Matrix{{1}, {0}}, Matrix{{10}, {20}},
                                             attn::no_mask(1, 2), 2, 1, true);
  const double high = 1 / (1 + std::exp(-2.0));
  CHECK(trace.output(0, 0) == doctest::Approx(10 * high + 20 * (1 - high)));
  CHECK(trace.output(0, 1) == doctest::Approx(10 * (1 - high) + 20 * high));
}

TEST_CASE("pooled heads are means within their group") {
  const Matrix kept{{1, 2, 3, 4, 5, 6, 7, 8}};
  // Four heads of width 2: (1, 2), (3, 4), (5, 6), (7, 8).
  CHECK(pool_heads(kept, 4, 4) == kept);
  CHECK(pool_heads(kept, 4, 2) == Matrix{{2, 3, 6, 7}});
  CHECK(pool_heads(kept, 4, 1) == Matrix{{4, 5}});
}

TEST_CASE("grouped queries refuse by name") {
  const Matrix q{{1, 2, 3, 4}}, kv{{1, 2}}, mask = attn::no_mask(1, 1);
  CHECK_NOTHROW(grouped_query_attention(q, kv, kv, mask, 4, 2, true));
  CHECK_THROWS_WITH_AS(grouped_query_attention(q, kv, kv, mask, 4, 3, true),
                       "groups: expected a divisor of heads, 4, got 3", std::invalid_argument);
  CHECK_THROWS_WITH_AS(grouped_query_attention(q, kv, kv, mask, 4, 4, true),
                       "k: expected (1, 4), got (1, 2)", std::invalid_argument);
  CHECK_THROWS_WITH_AS(grouped_query_attention(q, kv, kv, mask, 3, 1, true),
                       "q: expected columns in multiples of 3, got 4", std::invalid_argument);
  CHECK_THROWS_AS(grouped_query_attention(q, kv, kv, mask, 0, 1, true), std::invalid_argument);
  CHECK_THROWS_WITH_AS(pool_heads(q, 3, 1), "kept: expected columns in multiples of 3, got 4",
                       std::invalid_argument);
  CHECK_THROWS_AS(pool_heads(Matrix{{1, NAN}}, 2, 1), std::invalid_argument);
}

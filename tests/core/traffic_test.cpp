#include "core/traffic.h"

#include <doctest/doctest.h>

#include <cmath>
#include <stdexcept>

using attn::attention_traffic;
using attn::TrafficOptions;

TEST_CASE("traffic: 4,096 tokens, 16 heads of 64, two bytes a value, by hand") {
  // 4 · 4096² · 64 · 16 = 68,719,476,736 operations. A table has 4096² · 2 · 16 bytes = 2²⁹, four
  // passes over it 2³¹; Q, K, V and O have 4 · 4096 · 64 · 2 · 16 = 2²⁵ together.
  const TrafficOptions options{4096, 64, 16, 2, 128, 1e12, 1e11};
  const auto traffic = attention_traffic(options);
  CHECK(traffic.operations == 68719476736);
  CHECK(traffic.square_bytes == std::exp2(29));
  CHECK(traffic.scores_bytes == std::exp2(31));
  CHECK(traffic.operands_bytes == std::exp2(25));
  CHECK(traffic.standard_bytes == std::exp2(31) + std::exp2(25));
  // 32 blocks read K and V, each 2²³ bytes; Q and O move once.
  CHECK(traffic.tiled_bytes == (2 + 2 * 32) * std::exp2(23));
  CHECK(traffic.arithmetic_seconds == doctest::Approx(0.068719476736));
  CHECK(traffic.standard_seconds == doctest::Approx((std::exp2(31) + std::exp2(25)) / 1e11));
  CHECK(traffic.tiled_seconds == doctest::Approx(66 * std::exp2(23) / 1e11));
}

TEST_CASE("traffic: a block as long as the text moves only Q, K, V and O") {
  for (const double block : {100.0, 1000.0}) {
    const auto traffic = attention_traffic({100, 8, 1, 4, block, 1, 1});
    CHECK(traffic.tiled_bytes == traffic.operands_bytes);
  }
  // A last block that is not full reads K and V as well.
  CHECK(attention_traffic({100, 8, 1, 4, 99, 1, 1}).tiled_bytes == 2 * 100 * 8 * 4 * 3);
}

TEST_CASE("traffic: bad numbers are refused by name") {
  CHECK_THROWS_WITH_AS(attention_traffic({0, 8, 1, 4, 8, 1, 1}),
                       "n: expected a number, at least 1, got 0", std::invalid_argument);
  CHECK_THROWS_AS(attention_traffic({8, 8, 1, 0, 8, 1, 1}), std::invalid_argument);
  CHECK_THROWS_AS(attention_traffic({8, 8, 1, 2, 8, NAN, 1}), std::invalid_argument);
}

#include "core/scaling.h"

#include <doctest/doctest.h>

#include <stdexcept>
#include <vector>

TEST_CASE("8, 3, −2, 0.5 under ÷1, ÷8 and ÷64") {
  // Softmax computed separately, to four places. With a divisor c, products of unit-variance
  // vectors of 64 components have standard deviation 8/c.
  const auto rows = attn::compare_divisors(std::vector{8.0, 3.0, -2.0, 0.5}, 64);
  REQUIRE(rows.size() == 3);
  const double weights[3][4] = {{0.9927, 0.0067, 0.0000, 0.0005},
                                {0.4518, 0.2418, 0.1294, 0.1769},
                                {0.2725, 0.2520, 0.2331, 0.2424}};
  const double entropy[] = {0.033, 0.918, 0.9988}, divisor[] = {1, 8, 64}, std[] = {8, 1, 0.125};
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 4; ++j)
      CHECK(rows[i].weights[j] == doctest::Approx(weights[i][j]).epsilon(0.00005));
    CHECK(rows[i].entropy == doctest::Approx(entropy[i]).epsilon(0.0005));
    CHECK(rows[i].max_weight == rows[i].weights[0]);
    CHECK(rows[i].divisor == divisor[i]);
    CHECK(rows[i].std == std[i]);
  }
}

TEST_CASE("a dimension below 1 and an empty row are refused") {
  CHECK_THROWS_WITH_AS(attn::compare_divisors(std::vector{1.0}, 0), "d: expected at least 1, got 0",
                       std::invalid_argument);
  CHECK_THROWS_AS(attn::compare_divisors({}, 4), std::invalid_argument);
}

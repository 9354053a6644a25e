#include "core/log_slope.h"

#include <doctest/doctest.h>

#include <stdexcept>

using attn::log_slope;

TEST_CASE("log slope: powers by hand") {
  // y = 3 x^1.5 at 4 and 16: 24 and 192.
  CHECK(log_slope(4, 24, 16, 192) == doctest::Approx(1.5));
  CHECK(log_slope(1, 8, 2, 4) == doctest::Approx(-1));
  CHECK(log_slope(1, 5, 10, 5) == 0);
}

TEST_CASE("log slope: refused by name") {
  CHECK_THROWS_WITH_AS(log_slope(1, 0, 2, 1), "y0: expected a finite number above 0, got 0",
                       std::invalid_argument);
  CHECK_THROWS_WITH_AS(log_slope(2, 1, 2, 3), "x1: expected another number than x0, got 2",
                       std::invalid_argument);
}

#include "core/rotary.h"

#include <doctest/doctest.h>

#include <cmath>
#include <stdexcept>
#include <vector>

using attn::Matrix;
using attn::rotate;
using Vector = std::vector<double>;

TEST_CASE("position p turns the first pair by p radians and the second by p/100 of four") {
  Matrix x(2, 4);
  x << 1, 0, 1, 0, 0, 1, 0, 1;
  const Matrix y = rotate(x, Vector{1, 3}, 4, 10000);
  // base^(−2/4) = 1/100
  CHECK(y(0, 0) == doctest::Approx(std::cos(1)).epsilon(1e-15));
  CHECK(y(0, 1) == doctest::Approx(std::sin(1)).epsilon(1e-15));
  CHECK(y(0, 2) == doctest::Approx(std::cos(0.01)).epsilon(1e-15));
  CHECK(y(0, 3) == doctest::Approx(std::sin(0.01)).epsilon(1e-13));
  CHECK(y(1, 0) == doctest::Approx(-std::sin(3)).epsilon(1e-14));
  CHECK(y(1, 3) == doctest::Approx(std::cos(0.03)).epsilon(1e-15));
}

TEST_CASE("equal distance, equal score: 12 digits up to position 10⁴, 10 up to 10⁶") {
  Matrix q(1, 8), k(1, 8);
  q << 0.3, -1.2, 0.8, 0.5, -0.7, 1.1, 0.2, 0.9;
  k << 1.0, 0.4, -0.6, 0.7, 0.9, -0.3, 1.3, -0.8;
  const auto score = [&](double m, double n) {
    return rotate(q, Vector{m}, 8, 10000).row(0).dot(rotate(k, Vector{n}, 8, 10000).row(0));
  };
  for (const double distance : {0.0, 1.0, 3.0, 100.0}) {
    const double near = score(distance, 0);
    for (const double at : {1.0, 77.0, 5000.0, 9900.0}) {
      CHECK(std::abs(score(at + distance, at) - near) < 1e-12 * (1 + std::abs(near)));
    }
    for (const double at : {123456.0, 999900.0}) {
      CHECK(std::abs(score(at + distance, at) - near) < 1e-10 * (1 + std::abs(near)));
    }
  }
}

TEST_CASE("columns that are not rotated stay as they are") {
  Matrix x(1, 6);
  x << 1, 2, 3, 4, 5, 6;
  const Matrix y = rotate(x, Vector{7}, 2, 10000);
  CHECK(y.rightCols(4) == x.rightCols(4));
  CHECK(y(0, 0) != 1);
  CHECK(rotate(x, Vector{7}, 0, 10000) == x);
  CHECK(rotate(x, Vector{0}, 6, 10000) == x);
}

TEST_CASE("rotations refuse by name") {
  Matrix x(1, 4);
  x << 1, 2, 3, 4;
  CHECK_THROWS_WITH_AS(rotate(x, Vector{0}, 3, 10000),
                       "rotated: expected an even number, 0 to 4, got 3", std::invalid_argument);
  CHECK_THROWS_WITH_AS(rotate(x, Vector{0.5}, 4, 10000),
                       "positions[0]: expected a whole number, at most 2^20 from 0, got 0.5",
                       std::invalid_argument);
  CHECK_THROWS_AS(rotate(x, Vector{1, 2}, 4, 10000), std::invalid_argument);
  CHECK_THROWS_AS(rotate(x, Vector{0}, 4, 1), std::invalid_argument);
}

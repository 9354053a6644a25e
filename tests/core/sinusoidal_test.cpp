#include "core/sinusoidal.h"

#include <doctest/doctest.h>

#include <cmath>
#include <stdexcept>
#include <vector>

using attn::add_sinusoidal;
using attn::Matrix;
using attn::wavelengths;
using Vector = std::vector<double>;

TEST_CASE("positions 0 to 3 in four columns are the published table") {
  // sin p, cos p, sin p/100, cos p/100 to four decimals.
  const Matrix codes = add_sinusoidal(Matrix::Zero(4, 4), Vector{0, 1, 2, 3}, 10000);
  Matrix expected(4, 4);
  expected << 0, 1, 0, 1, 0.8415, 0.5403, 0.0100, 1.0000, 0.9093, -0.4161, 0.0200, 0.9998, 0.1411,
      -0.9900, 0.0300, 0.9996;
  CHECK((codes - expected).cwiseAbs().maxCoeff() < 5e-5);
}

TEST_CASE("neighbours are equally far apart at every position") {
  // |p(t+1) − p(t)|² = (2 sin ½)² + (2 sin 0.005)² at any t.
  const double expected = std::hypot(2 * std::sin(0.5), 2 * std::sin(0.005));
  for (const double at : {0.0, 1.0, 63.0, 999.0, 100000.0}) {
    const Matrix two = add_sinusoidal(Matrix::Zero(2, 4), Vector{at, at + 1}, 10000);
    CHECK(std::abs((two.row(1) - two.row(0)).norm() - expected) < 1e-12);
  }
}

TEST_CASE("an encoding is added to the row") {
  Matrix x(1, 2);
  x << 5, -2;
  const Matrix y = add_sinusoidal(x, Vector{3}, 10000);
  CHECK(y(0, 0) == doctest::Approx(5 + std::sin(3)).epsilon(1e-15));
  CHECK(y(0, 1) == doctest::Approx(-2 + std::cos(3)).epsilon(1e-15));
}

TEST_CASE("the longest wavelength is 2π·10000^((d−2)/d), not 2π·10000") {
  const double turn = 2 * std::acos(-1.0);
  CHECK(wavelengths(4, 10000)[0] == doctest::Approx(turn).epsilon(1e-14));
  CHECK(wavelengths(4, 10000)[1] == doctest::Approx(100 * turn).epsilon(1e-13));
  CHECK(wavelengths(512, 10000).size() == 256);
  CHECK(wavelengths(512, 10000).back() ==
        doctest::Approx(turn * std::pow(10000, 510.0 / 512)).epsilon(1e-12));
}

TEST_CASE("sinusoidal positions refuse by name") {
  CHECK_THROWS_WITH_AS(add_sinusoidal(Matrix::Zero(1, 3), Vector{0}, 10000),
                       "x: expected an even number of columns, got (1, 3)", std::invalid_argument);
  CHECK_THROWS_AS(add_sinusoidal(Matrix::Zero(1, 2), Vector{0.5}, 10000), std::invalid_argument);
  CHECK_THROWS_AS(add_sinusoidal(Matrix::Zero(1, 2), Vector{0}, 1), std::invalid_argument);
  CHECK_THROWS_WITH_AS(wavelengths(3, 10000), "d: expected an even number, at least 2, got 3",
                       std::invalid_argument);
}

#include "core/cosine.h"

#include <doctest/doctest.h>

#include <cmath>
#include <stdexcept>
#include <vector>

using attn::cosine;
using Vector = std::vector<double>;

TEST_CASE("cosine by hand") {
  CHECK(cosine(Vector{3, 4}, Vector{4, 3}) == doctest::Approx(24.0 / 25));
  CHECK(cosine(Vector{1, 0}, Vector{0, 2}) == 0);
  CHECK(cosine(Vector{1, 1}, Vector{-2, -2}) == doctest::Approx(-1));
}

TEST_CASE("a vector with itself gives exactly 1, at any length") {
  CHECK(cosine(Vector{0.2, 0.2, 1.0, 0.7}, Vector{0.2, 0.2, 1.0, 0.7}) == 1);
  CHECK(cosine(Vector{1e200, 3e200}, Vector{1e200, 3e200}) == 1);
  CHECK(cosine(Vector{1e-200, 3e-200}, Vector{1, 3}) == doctest::Approx(1));
}

TEST_CASE("vectors without a direction are refused by name") {
  CHECK_THROWS_WITH_AS(cosine(Vector{1}, Vector{0}),
                       "b: expected a vector that is not zero, got only zeros",
                       std::invalid_argument);
  CHECK_THROWS_WITH_AS(cosine(Vector{1, 2}, Vector{1}), "b: expected 2 numbers, got 1",
                       std::invalid_argument);
  CHECK_THROWS_AS(cosine(Vector{}, Vector{}), std::invalid_argument);
}

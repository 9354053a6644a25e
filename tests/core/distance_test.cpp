#include "core/distance.h"

#include <doctest/doctest.h>

#include <stdexcept>
#include <vector>

using attn::distance;
using Vector = std::vector<double>;

TEST_CASE("distance by hand") {
  CHECK(distance(Vector{1, 2}, Vector{4, -2}) == 5);
  CHECK(distance(Vector{0.1, 7}, Vector{0.1, 7}) == 0);
  CHECK_THROWS_WITH_AS(distance(Vector{1, 2}, Vector{1}), "b: expected 2 numbers, got 1",
                       std::invalid_argument);
}

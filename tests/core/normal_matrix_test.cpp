#include "core/normal_matrix.h"

#include <doctest/doctest.h>

#include <cmath>
#include <stdexcept>

using attn::Matrix;
using attn::normal_matrix;

TEST_CASE("normal matrices have the given mean and deviation, and one seed gives one matrix") {
  // 65,536 numbers: the mean's own deviation is std/256, that of the square's mean √2·std²/256.
  const Matrix x = normal_matrix(256, 256, 0.5, 7, 1);
  CHECK(std::abs(x.mean()) < 4 * 0.5 / 256);
  CHECK(std::abs(x.cwiseAbs2().mean() - 0.25) < 4 * 1.4143 * 0.25 / 256);
  CHECK(normal_matrix(256, 256, 0.5, 7, 1) == x);
  CHECK(normal_matrix(256, 256, 0.5, 7, 2) != x);
  CHECK(normal_matrix(2, 2, 0, 7, 1) == Matrix::Zero(2, 2));
  CHECK_THROWS_WITH_AS(normal_matrix(0, 2, 1, 7, 1), "rows: expected at least 1, got 0",
                       std::invalid_argument);
  CHECK_THROWS_AS(normal_matrix(1, 1, -1, 7, 1), std::invalid_argument);
}

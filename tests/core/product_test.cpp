#include "core/product.h"

#include <doctest/doctest.h>

#include <stdexcept>

#include "core/rng.h"

using attn::Matrix;

TEST_CASE("a product by hand") {
  // Row 1: 1·5 + 2·7, 1·6 + 2·8.
  CHECK(attn::product(Matrix{{1, 2}, {3, 4}}, Matrix{{5, 6}, {7, 8}}) ==
        Matrix{{19, 22}, {43, 50}});
  CHECK(attn::dot(std::vector{1.0, 2.0, 3.0}, std::vector{4.0, -5.0, 6.0}) == 12);
}

TEST_CASE("every element is the sum over k in order, to the bit") {
  attn::Rng rng(6);
  for (const int inner : {1, 3, 4, 7, 64, 65}) {
    Matrix x(5, inner), w(inner, 6);
    for (auto* m : {&x, &w})
      for (Eigen::Index i = 0; i < m->size(); ++i) m->data()[i] = rng.normal();
    const Matrix y = attn::product(x, w);
    for (int i = 0; i < 5; ++i) {
      for (int j = 0; j < 6; ++j) {
        double sum = 0;
        for (int k = 0; k < inner; ++k) sum += x(i, k) * w(k, j);
        CHECK(y(i, j) == sum);
      }
    }
  }
}

TEST_CASE("shapes that don't fit are named, with both shapes") {
  CHECK_THROWS_WITH_AS(attn::product(Matrix{{1, 2}}, Matrix{{1, 2}}),
                       "w: expected (2, 2), got (1, 2)", std::invalid_argument);
  CHECK_THROWS_WITH_AS(attn::product(Matrix(0, 2), Matrix{{1}, {2}}),
                       "x: expected at least one row and column, got (0, 2)",
                       std::invalid_argument);
}

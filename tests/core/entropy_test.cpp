#include "core/entropy.h"

#include <doctest/doctest.h>

#include <cmath>
#include <stdexcept>
#include <vector>

TEST_CASE("entropy is 0 for one-hot, 1 for uniform, at any length") {
  for (int n = 2; n <= 64; n *= 2) {
    std::vector<double> p(static_cast<std::size_t>(n), 1.0 / n);
    CHECK(attn::normalized_entropy(p, n) == doctest::Approx(1));
    p.assign(static_cast<std::size_t>(n), 0);
    p[1] = 1;
    CHECK(attn::normalized_entropy(p, n) == 0);
  }
}

TEST_CASE("entropy of ¾, ¼ by hand") {
  // (¾ ln(4/3) + ¼ ln 4) ÷ ln 2 = 2 − ¾ log₂ 3
  CHECK(attn::normalized_entropy(std::vector{0.75, 0.25}, 2) ==
        doctest::Approx(2 - 0.75 * std::log2(3.0)));
}

TEST_CASE("only visible positions count: a uniform row under a mask has entropy 1") {
  CHECK(attn::normalized_entropy(std::vector{0.5, 0.5, 0.0, 0.0}, 2) == doctest::Approx(1));
  CHECK(attn::normalized_entropy(std::vector{1.0, 0.0, 0.0}, 1) == 0);
  CHECK_THROWS_AS(attn::normalized_entropy(std::vector{1.0}, 0), std::invalid_argument);
}

#include "core/jacobian.h"

#include <doctest/doctest.h>

#include <cmath>
#include <stdexcept>

#include "core/rng.h"
#include "core/softmax.h"

namespace {

std::vector<double> softmax(std::vector<double> z) {
  attn::softmax_in_place(z);
  return z;
}

}  // namespace

TEST_CASE("the Jacobian matches finite differences of softmax") {
  const std::vector<double> z = {0.3, -1.2, 2.0, 0.0};
  const auto jacobian = attn::softmax_jacobian(softmax(z));
  // Central differences: error h²·p‴/6 ≈ 1e−11 and rounding 1e−16/h ≈ 1e−11.
  const double h = 1e-5;
  for (std::size_t j = 0; j < z.size(); ++j) {
    auto up = z, down = z;
    up[j] += h;
    down[j] -= h;
    const auto p_up = softmax(up), p_down = softmax(down);
    for (std::size_t i = 0; i < z.size(); ++i) {
      const double slope = (p_up[i] - p_down[i]) / (2 * h);
      CHECK(std::abs(jacobian.matrix(static_cast<int>(i), static_cast<int>(j)) - slope) < 1e-10);
    }
  }
}

TEST_CASE("rows sum to 0 and the norm is that of the matrix") {
  attn::Rng rng(5);
  for (int n = 1; n <= 40; ++n) {
    std::vector<double> z;
    for (int i = 0; i < n; ++i) z.push_back(3 * rng.normal());
    const auto jacobian = attn::softmax_jacobian(softmax(z));
    for (const double sum : jacobian.row_sums) CHECK(std::abs(sum) < 1e-15);
    CHECK(jacobian.norm == doctest::Approx(jacobian.matrix.norm()).epsilon(1e-12));
  }
}

TEST_CASE("the norm of uniform rows is √(n−1)/n, and ½ at the most") {
  for (int n = 1; n <= 64; ++n) {
    const std::vector<double> p(static_cast<std::size_t>(n), 1.0 / n);
    CHECK(attn::softmax_jacobian_norm(p) == doctest::Approx(std::sqrt(n - 1.0) / n));
  }
  CHECK(attn::softmax_jacobian_norm(std::vector{0.5, 0.5, 0.0, 0.0}) == doctest::Approx(0.5));
}

TEST_CASE("near one-hot the norm keeps its digits") {
  // p = (1 − ε, ε): every entry of the matrix is ±ε(1 − ε), so the norm is 2ε(1 − ε). The formula
  // √(Σp² − 2Σp³ + (Σp²)²) loses all digits at ε = 1e−9.
  const double eps = 0x1p-30;
  CHECK(attn::softmax_jacobian_norm(std::vector{1 - eps, eps}) ==
        doctest::Approx(2 * eps * (1 - eps)).epsilon(1e-14));
  CHECK(attn::softmax_jacobian_norm(std::vector{1.0, 0.0, 0.0}) == 0);
}

TEST_CASE("numbers that are not a distribution are refused by name") {
  CHECK_THROWS_WITH_AS(attn::softmax_jacobian(std::vector{0.5, 0.4}),
                       "probabilities: expected a sum of 1, got 0.9", std::invalid_argument);
  CHECK_THROWS_WITH_AS(attn::softmax_jacobian(std::vector{1.5, -0.5}),
                       "probabilities[1]: expected 0 or more, got -0.5", std::invalid_argument);
  CHECK_THROWS_AS(attn::softmax_jacobian({}), std::invalid_argument);
}

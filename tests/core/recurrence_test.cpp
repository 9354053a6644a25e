#include "core/recurrence.h"

#include <doctest/doctest.h>

#include <cmath>
#include <stdexcept>

using attn::Matrix;
using attn::recurrence;
using attn::serial_cost;

namespace {

Matrix one(double value) { return Matrix::Constant(1, 1, value); }

Matrix sentence() {
  Matrix x(4, 2);
  x << 1, 0, 0.2, -0.7, 0.5, 0.5, -0.3, 0.9;
  return x;
}

}  // namespace

TEST_CASE("two steps of one number, by hand") {
  Matrix x(2, 1);
  x << 1, 0;
  const auto walk = recurrence(x, one(0.5), one(0.9));
  // h_1 = tanh 0.5 = 0.46212, h_2 = tanh(0.9 · 0.46212) = tanh 0.41591 = 0.39348
  CHECK(walk.states(0, 0) == doctest::Approx(std::tanh(0.5)).epsilon(1e-15));
  CHECK(walk.states(1, 0) == doctest::Approx(std::tanh(0.9 * std::tanh(0.5))).epsilon(1e-15));
  CHECK(walk.states(1, 0) == doctest::Approx(0.39348).epsilon(1e-5));
  // ∂h_2/∂h_1 = 0.9 (1 − h_2²) = 0.9 · 0.84517 = 0.76066
  CHECK(walk.reach[0] == 1);
  CHECK(walk.reach[1] == doctest::Approx(0.76066).epsilon(1e-5));
}

TEST_CASE("without input the state stays 0, and the remaining share is exactly keep^(t−1)") {
  const auto walk =
      recurrence(Matrix::Zero(50, 3), Matrix::Identity(3, 2), 0.9 * Matrix::Identity(2, 2));
  CHECK(walk.states.isZero(0));
  for (int t = 1; t <= 50; ++t) {
    CHECK(walk.reach[static_cast<std::size_t>(t - 1)] ==
          doctest::Approx(serial_cost(t, 0.9).left).epsilon(1e-13));
  }
}

TEST_CASE("reach agrees with the effect of a small change of the first state") {
  Matrix w_x(2, 2), w_h(2, 2);
  w_x << 0.4, -0.3, 0.1, 0.6;
  w_h << 0.7, 0.2, -0.4, 0.5;
  const Matrix x = sentence();
  const auto walk = recurrence(x, w_x, w_h);
  const double step = 1e-6;
  // h_1 is changed, and the recurrence continues from it, row by row.
  double sum = 0;
  for (Eigen::Index i = 0; i < 2; ++i) {
    const auto last = [&](double by) {
      Matrix h = walk.states.row(0);
      h(0, i) += by;
      for (Eigen::Index t = 1; t < x.rows(); ++t) {
        const Matrix before = h;
        for (Eigen::Index j = 0; j < 2; ++j) {
          double z = 0;
          for (Eigen::Index k = 0; k < 2; ++k) z += x(t, k) * w_x(k, j) + before(0, k) * w_h(k, j);
          h(0, j) = std::tanh(z);
        }
      }
      return h;
    };
    sum += ((last(step) - last(-step)) / (2 * step)).squaredNorm();
  }
  CHECK(walk.reach.back() == doctest::Approx(std::sqrt(sum / 2)).epsilon(1e-8));
}

TEST_CASE("reach never exceeds keep^(t−1), shrinks, and ends in 0, not NaN") {
  Matrix x(4000, 2);
  for (Eigen::Index t = 0; t < x.rows(); ++t) x.row(t) = sentence().row(t % 4);
  const auto walk = recurrence(x, Matrix::Identity(2, 2), 0.9 * Matrix::Identity(2, 2));
  for (std::size_t t = 1; t < walk.reach.size(); ++t) {
    CHECK(walk.reach[t] <= walk.reach[t - 1]);
    CHECK(walk.reach[t] <= serial_cost(static_cast<int>(t) + 1, 0.9).left * (1 + 1e-12));
  }
  CHECK(walk.reach.back() == 0);
}

TEST_CASE("T tokens: T steps in a row, T − 1 updates of the first") {
  const auto cost = serial_cost(4096, 0.9);
  CHECK(cost.steps == 4096);
  CHECK(cost.updates == 4095);
  // 4095 · log₁₀ 0.9 = −187.37
  CHECK(std::log10(cost.left) == doctest::Approx(4095 * std::log10(0.9)).epsilon(1e-12));
  // 0.9^49 = 0.005726
  CHECK(serial_cost(50, 0.9).left == doctest::Approx(std::pow(0.9, 49)).epsilon(1e-13));
  CHECK(serial_cost(1, 0.9).left == 1);
  CHECK(serial_cost(3, 0).left == 0);
  // 7000 · log₁₀ 0.9 = −320: below the normal range, where × 0.9 may round back to the same number.
  CHECK(serial_cost(7001, 0.9).left == 0);
}

TEST_CASE("recurrence refuses by name") {
  CHECK_THROWS_WITH_AS(recurrence(sentence(), Matrix::Identity(2, 2), Matrix::Zero(2, 3)),
                       "w_h: expected a square matrix, got (2, 3)", std::invalid_argument);
  CHECK_THROWS_WITH_AS(recurrence(sentence(), Matrix::Identity(2, 2), one(0.9)),
                       "w_x: expected (2, 1), got (2, 2)", std::invalid_argument);
  CHECK_THROWS_AS(recurrence(sentence(), one(1), one(0.9)), std::invalid_argument);
  CHECK_THROWS_AS(recurrence(sentence(), Matrix::Identity(2, 2), one(NAN)), std::invalid_argument);
  CHECK_THROWS_WITH_AS(serial_cost(0, 0.9), "length: expected at least 1, got 0",
                       std::invalid_argument);
  CHECK_THROWS_AS(serial_cost(3, 1.1), std::invalid_argument);
  CHECK_THROWS_AS(serial_cost(3, NAN), std::invalid_argument);
}

#include "core/init_sweep.h"

#include <doctest/doctest.h>

#include <cmath>
#include <stdexcept>
#include <vector>

TEST_CASE("the logits of an untrained model grow like σ² d^1.5, not like √d") {
  const std::vector<int> dims = {32, 64, 128, 256};
  const auto rows = attn::init_sweep(dims, 0.02, 20261014);
  double sx = 0, sy = 0, sxx = 0, sxy = 0;
  for (const auto& row : rows) {
    CAPTURE(row.d);
    CHECK(row.predicted == doctest::Approx(0.0004 * std::pow(row.d, 1.5)));
    CHECK(row.unit_variance == doctest::Approx(std::sqrt(row.d)));
    // LayerNorm's ε costs 1.2 %; the rest is sampling.
    CHECK(std::abs(row.std / row.predicted - 1) < 0.05);
    const double x = std::log(row.d), y = std::log(row.std);
    sx += x;
    sy += y;
    sxx += x * x;
    sxy += x * y;
  }
  const double slope = (4 * sxy - sx * sy) / (4 * sxx - sx * sx);
  CHECK(std::abs(slope - 1.5) < 0.03);
}

TEST_CASE("entropy and ‖J‖ agree with an independent simulation") {
  // Another program's mean of six seeds with the same model; single runs differ by up to 0.02.
  const auto rows = attn::init_sweep(std::vector{32, 64, 128, 256, 512}, 0.02, 1);
  const double entropy[] = {0.9992, 0.9922, 0.943, 0.677, 0.265};
  const double norm[] = {0.258, 0.261, 0.276, 0.315, 0.233};
  for (std::size_t i = 0; i < 5; ++i) {
    CAPTURE(rows[i].d);
    CHECK(std::abs(rows[i].entropy - entropy[i]) < 0.025);
    CHECK(std::abs(rows[i].jacobian_norm - norm[i]) < 0.02);
  }
}

TEST_CASE("σ = 1/√d gives q and k unit variance and the logits √d") {
  const auto row = attn::init_sweep(std::vector{64}, 1.0 / 8, 3)[0];
  CHECK(row.predicted == doctest::Approx(row.unit_variance));
  CHECK(std::abs(row.std / 8 - 1) < 0.05);
}

TEST_CASE("arguments out of range are refused by name") {
  CHECK_THROWS_WITH_AS(attn::init_sweep(std::vector{1}, 0.02, 1),
                       "dims[0]: expected 2 to 1024, got 1", std::invalid_argument);
  CHECK_THROWS_WITH_AS(attn::init_sweep(std::vector{32}, 0, 1),
                       "sigma: expected a number above 0, at most 10, got 0",
                       std::invalid_argument);
  CHECK_THROWS_AS(attn::init_sweep({}, 0.02, 1), std::invalid_argument);
}

#include "core/row_weights.h"

#include <doctest/doctest.h>

#include <cmath>
#include <stdexcept>
#include <vector>

using attn::AttentionKind;
using attn::row_weights;

namespace {

// Two keys whose products differ by 4 ln 2, so that with d = 16 their weights are 2/3 and 1/3.
const std::vector<double> kProducts{4 * std::log(2.0), 0};

void check_weights(AttentionKind kind, const std::vector<double>& expected) {
  const auto weights = row_weights(kProducts, kind, 16);
  REQUIRE(weights.size() == expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    CHECK(*weights[i] == doctest::Approx(expected[i]));
  }
}

}  // namespace

TEST_CASE("row weights: each rule by hand") {
  check_weights(AttentionKind::kScaled, {2.0 / 3, 1.0 / 3, 0});
  // Without ÷√d the ratio is 2⁴.
  check_weights(AttentionKind::kUnscaled, {16.0 / 17, 1.0 / 17, 0});
  // e⁰ joins the sum: 2, 1 and 1 of 4.
  check_weights(AttentionKind::kHiddenAsZero, {0.5, 0.25, 0.25});
  check_weights(AttentionKind::kScaledAfterSoftmax, {4.0 / 17, 0.25 / 17, 0});
  // ÷16 leaves 2^(1/4).
  const double ratio = std::pow(2, 0.25);
  check_weights(AttentionKind::kDividedByWidth, {ratio / (ratio + 1), 1 / (ratio + 1), 0});
}

TEST_CASE("row weights: e^score overflows where the maximum is not subtracted") {
  // 400 ÷ 4 = 100 is beyond e^88.7, the largest power that float32 holds: ∞ ÷ ∞.
  const std::vector<double> products{400, 0};
  const auto weights = row_weights(products, AttentionKind::kNoMaxSubtraction, 16);
  REQUIRE(weights.size() == 3);
  CHECK_FALSE(weights[0].has_value());
  CHECK(weights[2] == 0.0);
  CHECK(row_weights(products, AttentionKind::kScaled, 16)[0].has_value());
}

TEST_CASE("row weights: refused by name") {
  CHECK_THROWS_WITH_AS(row_weights(kProducts, AttentionKind::kScaled, 0),
                       "d: expected at least 1, got 0", std::invalid_argument);
  CHECK_THROWS_WITH_AS(row_weights({}, AttentionKind::kScaled, 1),
                       "products: expected at least one number, got none", std::invalid_argument);
}

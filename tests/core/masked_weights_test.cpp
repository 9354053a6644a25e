#include "core/masked_weights.h"

#include <doctest/doctest.h>

#include <cmath>
#include <stdexcept>

#include "core/mask.h"

using attn::causal_mask;
using attn::EmptyRow;
using attn::kHidden;
using attn::masked_weights;
using attn::MaskedTrace;
using attn::Masking;
using attn::Matrix;
using doctest::Approx;

namespace {

/// The middle row may not see its last score; the first row sees itself only.
const Matrix kScores{{1, 2, 3}, {1, 2, 1}, {1, 2, 0.5}};

MaskedTrace causal(Masking masking) {
  return masked_weights(kScores, causal_mask(3), masking, EmptyRow::kZero);
}

void check_row(const MaskedTrace& trace, Eigen::Index row, std::vector<double> weights) {
  for (std::size_t j = 0; j < weights.size(); ++j) {
    CHECK(trace.weights(row, static_cast<Eigen::Index>(j)) == Approx(weights[j]).epsilon(1e-14));
  }
}

}  // namespace

TEST_CASE("scores 1, 2 and a hidden one, by the correct method and the faulty ones") {
  const double e = std::exp(1.0);

  SUBCASE("−∞: 1/(1 + e) and e/(1 + e), and exactly 0") {
    const MaskedTrace trace = causal(Masking::kInfinity);
    check_row(trace, 1, {1 / (1 + e), e / (1 + e)});
    CHECK(trace.weights(1, 2) == 0);
    CHECK(trace.scores(1, 2) == kHidden);
    CHECK(trace.rows[1].sum == Approx(1));
    CHECK(trace.rows[1].hidden_share == 0);
    for (int i = 0; i < 3; ++i) CHECK(trace.rows[static_cast<std::size_t>(i)].visible == i + 1);
  }
  SUBCASE("0: e, e² and e⁰ share, so the hidden one keeps 9.0 %") {
    const MaskedTrace trace = causal(Masking::kZero);
    const double sum = e + e * e + 1;
    check_row(trace, 1, {e / sum, e * e / sum, 1 / sum});
    CHECK(trace.rows[1].hidden_share == Approx(0.090031).epsilon(1e-5));
    CHECK(trace.rows[1].sum == Approx(1));
  }
  SUBCASE("after softmax: the hidden part is missing from the sum") {
    const MaskedTrace trace = causal(Masking::kAfter);
    const double sum = e + e * e + e;
    check_row(trace, 1, {e / sum, e * e / sum});
    CHECK(trace.weights(1, 2) == 0);
    CHECK(trace.rows[1].sum == Approx(1 - e / sum));
  }
  SUBCASE("−10⁹ in bfloat16: exactly 0, as long as one key is visible") {
    const MaskedTrace trace = causal(Masking::kConstant);
    check_row(trace, 1, {1 / (1 + e), e / (1 + e)});
    CHECK(trace.weights(1, 2) == 0);
    CHECK(trace.scores(1, 2) == -998244352.0);
  }
  SUBCASE("(1 − m)·(−10⁹) in float16: −∞·0 is undefined, and so is every row") {
    const MaskedTrace trace = causal(Masking::kProduct);
    for (Eigen::Index row = 0; row < 3; ++row) {
      CHECK_FALSE(trace.rows[static_cast<std::size_t>(row)].defined);
      check_row(trace, row, {0, 0, 0});
    }
  }
}

TEST_CASE("a row that sees no key follows the convention, and is never NaN") {
  const Matrix mask{{kHidden, kHidden, kHidden}, {kHidden, 0, kHidden}, {kHidden, 0, 0}};
  const auto empty = [&](Masking masking, EmptyRow convention) {
    return masked_weights(kScores, mask, masking, convention);
  };

  check_row(empty(Masking::kInfinity, EmptyRow::kZero), 0, {0, 0, 0});
  check_row(empty(Masking::kInfinity, EmptyRow::kSelf), 0, {1, 0, 0});
  check_row(empty(Masking::kInfinity, EmptyRow::kMean), 0, {1 / 3.0, 1 / 3.0, 1 / 3.0});
  CHECK(empty(Masking::kInfinity, EmptyRow::kZero).rows[0].defined);
  CHECK(empty(Masking::kInfinity, EmptyRow::kMean).rows[0].hidden_share == Approx(1));
  // Steps of bfloat16 at 10⁹ are 2²², so the scores vanish and all weights are equal.
  check_row(empty(Masking::kConstant, EmptyRow::kZero), 0, {1 / 3.0, 1 / 3.0, 1 / 3.0});
  CHECK_FALSE(empty(Masking::kProduct, EmptyRow::kZero).rows[0].defined);
  check_row(empty(Masking::kAfter, EmptyRow::kZero), 0, {0, 0, 0});
  // The other rows do not change.
  check_row(empty(Masking::kInfinity, EmptyRow::kMean), 1, {0, 1, 0});
}

TEST_CASE("scores that are not a square matrix of numbers are refused") {
  const auto weigh = [](const Matrix& scores, const Matrix& mask) {
    return masked_weights(scores, mask, Masking::kInfinity, EmptyRow::kZero);
  };
  CHECK_THROWS_WITH_AS(weigh(Matrix{{1, 2}}, Matrix{{0, 0}}), "scores: expected (1, 1), got (1, 2)",
                       std::invalid_argument);
  CHECK_THROWS_WITH_AS(weigh(Matrix{{1}}, Matrix{{0, 0}}), "mask: expected (1, 1), got (1, 2)",
                       std::invalid_argument);
  CHECK_THROWS_AS(weigh(Matrix{{std::nan("")}}, Matrix{{0}}), std::invalid_argument);
  // Beyond the range of bfloat16.
  CHECK_FALSE(masked_weights(Matrix{{1e300}}, Matrix{{0}}, Masking::kConstant, EmptyRow::kZero)
                  .rows[0]
                  .defined);
}

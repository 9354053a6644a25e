#include "core/attention.h"

#include <doctest/doctest.h>

#include <cmath>
#include <stdexcept>

#include "core/mask.h"
#include "core/normal_matrix.h"
#include "core/rng.h"

using attn::attention;
using attn::kHidden;
using attn::Matrix;
using attn::normal_matrix;

TEST_CASE("attention: two keys worked by hand") {
  // q·k = (2, 0) and d_k = 4, so scores = (1, 0) and weights = (e, 1)/(e + 1).
  const Matrix q{{1, 1, 1, 1}};
  const Matrix k{{1, 1, 0, 0}, {1, -1, 0, 0}};
  const Matrix v{{10}, {20}};

  SUBCASE("both keys visible") {
    const auto trace = attention(q, k, v, attn::no_mask(1, 2), true);
    const double first = std::exp(1.0) / (std::exp(1.0) + 1.0);
    CHECK(trace.scores == Matrix{{1, 0}});
    CHECK(trace.weights(0, 0) == doctest::Approx(first));
    CHECK(trace.output(0, 0) == doctest::Approx(10 * first + 20 * (1 - first)));
  }
  SUBCASE("unscaled the scores are the products") {
    CHECK(attention(q, k, v, attn::no_mask(1, 2), false).scores == Matrix{{2, 0}});
  }
  SUBCASE("a hidden key gets weight exactly zero, and one visible key entropy 0") {
    const auto trace = attention(q, k, v, Matrix{{kHidden, 0}}, true);
    CHECK(trace.weights == Matrix{{0, 1}});
    CHECK(trace.output(0, 0) == 20);
    CHECK(trace.entropy[0] == 0);
    CHECK(trace.scores == Matrix{{1, 0}});  // before the mask
  }
  SUBCASE("shapes that disagree are named, with both shapes") {
    CHECK_THROWS_WITH_AS(attention(q, k, v, Matrix{{0}}, true), "mask: expected (1, 2), got (1, 1)",
                         std::invalid_argument);
    CHECK_THROWS_WITH_AS(attention(q, Matrix{{1, 1}}, v, attn::no_mask(1, 1), true),
                         "k: expected (1, 4), got (1, 2)", std::invalid_argument);
    CHECK_THROWS_WITH_AS(attention(q, k, Matrix{{10}}, attn::no_mask(1, 2), true),
                         "v: expected (2, 1), got (1, 1)", std::invalid_argument);
  }
  SUBCASE("NaN is refused with its row and column") {
    CHECK_THROWS_WITH_AS(attention(q, k, Matrix{{10}, {NAN}}, attn::no_mask(1, 2), true),
                         "v(1, 0): expected a finite number, got NaN", std::invalid_argument);
  }
}

TEST_CASE("the two-dimensional example: causal rows and self only") {
  // Q = (1,0), (0,1), (1,0); K = (1,0), (0,1), (1,1); unscaled scores 1 0 1 / 0 1 1 / 1 0 1.
  const Matrix q{{1, 0}, {0, 1}, {1, 0}}, k{{1, 0}, {0, 1}, {1, 1}}, v{{2, 0}, {0, 2}, {1, 1}};
  const auto causal = attention(q, k, v, attn::causal_mask(3), false);
  CHECK(causal.scores == Matrix{{1, 0, 1}, {0, 1, 1}, {1, 0, 1}});
  CHECK(causal.output(0, 0) == 2);
  // Row 1: weights (1, e)/(1 + e); output 2/(1 + e), 2e/(1 + e).
  CHECK(causal.output(1, 0) == doctest::Approx(2 / (1 + std::exp(1.0))));
  CHECK(causal.output(1, 1) == doctest::Approx(2 - 2 / (1 + std::exp(1.0))));
  // Row 2: weights (e, 1, e)/(2e + 1): output (3e, e + 2)/(2e + 1).
  const double e = std::exp(1.0);
  CHECK(causal.output(2, 0) == doctest::Approx(3 * e / (2 * e + 1)));
  CHECK(causal.output(2, 1) == doctest::Approx((e + 2) / (2 * e + 1)));
  CHECK(attention(q, k, v, attn::self_mask(3), true).output == v);
}

TEST_CASE("rows of weights sum to 1 and the future has no weight and no influence") {
  attn::Rng rng(8);
  const Matrix q = normal_matrix(12, 5, 1, rng), k = normal_matrix(12, 5, 1, rng);
  Matrix v = normal_matrix(12, 3, 1, rng);
  const auto trace = attention(q, k, v, attn::causal_mask(12), true);
  for (int i = 0; i < 12; ++i) {
    // Twelve roundings of at most 2⁻⁵³ each.
    CHECK(std::abs(trace.weights.row(i).sum() - 1) < 2e-15);
    for (int j = i + 1; j < 12; ++j) CHECK(trace.weights(i, j) == 0);
  }
  v.row(11).setConstant(1e6);
  const auto changed = attention(q, k, v, attn::causal_mask(12), true);
  CHECK(changed.output.topRows(11) == trace.output.topRows(11));
}

TEST_CASE("a constant added to all scores of a row changes nothing but rounding") {
  // A component of all keys along the query adds the same to each score.
  const Matrix q{{2, 0, 1}}, v{{1}, {2}, {4}};
  Matrix k{{0.5, 1, 0}, {-1, 2, 0}, {0, 3, 0}};
  const Matrix before = attention(q, k, v, attn::no_mask(1, 3), true).weights;
  k.col(2).setConstant(7);
  const Matrix after = attention(q, k, v, attn::no_mask(1, 3), true).weights;
  CHECK((before - after).cwiseAbs().maxCoeff() < 1e-14);
}

TEST_CASE("logits of standard deviation 5000 stay finite") {
  attn::Rng rng(9);
  const Matrix q = 5000 * normal_matrix(8, 4, 1, rng), k = normal_matrix(8, 4, 1, rng);
  const auto trace = attention(q, k, k, attn::causal_mask(8), true);
  CHECK(trace.weights.allFinite());
  CHECK(trace.output.allFinite());
}

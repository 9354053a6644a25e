#include "core/multi_head.h"

#include <doctest/doctest.h>

#include <cmath>
#include <stdexcept>

#include "core/mask.h"
#include "core/rng.h"

using attn::Matrix;
using attn::multi_head_attention;

TEST_CASE("two heads of two columns by hand") {
  // X = (1,0,1,0), (0,1,0,1) and identity projections: both heads see (1,0), (0,1), and token 2
  // scores (0, 1/√2) against the two keys.
  const Matrix x{{1, 0, 1, 0}, {0, 1, 0, 1}};
  const auto trace = multi_head_attention(x, x, x, attn::causal_mask(2), 2, true);
  REQUIRE(trace.heads.size() == 2);
  const double first = 1 / (1 + std::exp(1 / std::sqrt(2.0)));  // 0.330
  CHECK(trace.heads[0].weights(1, 0) == doctest::Approx(first));
  CHECK(trace.output.row(0) == x.row(0));
  for (int c = 0; c < 4; ++c)
    CHECK(trace.output(1, c) == doctest::Approx(c % 2 == 0 ? first : 1 - first));
}

TEST_CASE("one head is plain attention; the full scores are the heads' scores added up") {
  attn::Rng rng(10);
  Matrix q(4, 6), k(4, 6), v(4, 9);
  for (auto* m : {&q, &k, &v})
    for (Eigen::Index i = 0; i < m->size(); ++i) m->data()[i] = rng.normal();
  const Matrix mask = attn::no_mask(4, 4);
  const auto whole = attn::attention(q, k, v, mask, false);
  CHECK(multi_head_attention(q, k, v, mask, 1, false).output == whole.output);
  const auto cut = multi_head_attention(q, k, v, mask, 3, false);
  const Matrix sum = cut.heads[0].scores + cut.heads[1].scores + cut.heads[2].scores;
  CHECK((sum - whole.scores).cwiseAbs().maxCoeff() < 1e-14);
}

TEST_CASE("a number of heads that does not divide is refused") {
  const Matrix x{{1, 0, 1, 0}};
  CHECK_THROWS_WITH_AS(multi_head_attention(x, x, x, attn::no_mask(1, 1), 3, true),
                       "heads: expected a divisor of the width of q, 4, got 3",
                       std::invalid_argument);
  CHECK_THROWS_AS(multi_head_attention(x, x, x, attn::no_mask(1, 1), 0, true),
                  std::invalid_argument);
}

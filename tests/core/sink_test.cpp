#include "core/sink.h"

#include <doctest/doctest.h>

#include <cmath>
#include <stdexcept>
#include <vector>

#include "core/softmax.h"

using attn::softmax_with_sink;
using Vector = std::vector<double>;

// Row 苹果 of the teaching sentence: q·k ÷ √4 to four decimals.
const Vector kRow = {0.0392, 0.3598, 0.0016};

TEST_CASE("a sink logit of 0, 1, 2, 3 leaves 77.7, 56.1, 32.0, 14.7 % of row 苹果") {
  // Σe^s = 1.03998 + 1.43304 + 1.00160 = 3.47462; over 3.47462 + e^sink:
  // 3.47462/4.47462, /6.19290, /10.86368, /23.56016.
  const Vector stated = {0.777, 0.561, 0.320, 0.147};
  for (int sink = 0; sink < 4; ++sink) {
    const auto trace = softmax_with_sink(kRow, sink, 1);
    CHECK(std::abs(trace.total - stated[static_cast<std::size_t>(sink)]) < 0.0005);
    CHECK(trace.total + trace.sink_weight == doctest::Approx(1).epsilon(1e-15));
  }
}

TEST_CASE(
    "the shares among the tokens are those of plain softmax, all smaller by the same factor") {
  Vector plain = kRow;
  attn::softmax_in_place(plain);
  const auto trace = softmax_with_sink(kRow, 1.5, 1);
  for (std::size_t i = 0; i < plain.size(); ++i) {
    CHECK(trace.weights[i] == doctest::Approx(trace.total * plain[i]).epsilon(1e-14));
  }
}

TEST_CASE(
    "a sink far below the scores has weight 0, one far above has weight 1, nothing overflows") {
  CHECK(softmax_with_sink(kRow, -1000, 1).total == doctest::Approx(1).epsilon(1e-15));
  CHECK(softmax_with_sink(kRow, -1000, 1).sink_weight == 0);
  CHECK(softmax_with_sink(kRow, 1e6, 1).total == 0);
  const auto high = softmax_with_sink(Vector{1e6, 1e6}, 1e6, 1);
  CHECK(high.sink_weight == doctest::Approx(1.0 / 3));
}

TEST_CASE("unlike plain softmax, a constant added to all scores changes the weights") {
  const auto low = softmax_with_sink(Vector{-9, -9}, 0, 1);
  // 2e⁻⁹ ÷ (1 + 2e⁻⁹)
  CHECK(low.total == doctest::Approx(2.4676e-4).epsilon(1e-4));
  CHECK(softmax_with_sink(Vector{9, 9}, 0, 1).total > 0.9999);
}

TEST_CASE("a gate multiplies the factors of the values and does not change the weights") {
  const auto open = softmax_with_sink(kRow, 0, 1), half = softmax_with_sink(kRow, 0, 0.5);
  CHECK(open.taken == open.weights);
  CHECK(half.weights == open.weights);
  CHECK(half.taken_total == doctest::Approx(open.total / 2).epsilon(1e-15));
  CHECK(softmax_with_sink(kRow, 0, 0).taken_total == 0);
}

TEST_CASE("the slope is that of a difference quotient") {
  const double step = 1e-6;
  const double up = softmax_with_sink(kRow, 0.7 + step, 1).total;
  const double down = softmax_with_sink(kRow, 0.7 - step, 1).total;
  CHECK(softmax_with_sink(kRow, 0.7, 1).slope ==
        doctest::Approx((up - down) / (2 * step)).epsilon(1e-8));
}

TEST_CASE("sinks and gates refuse by name") {
  CHECK_THROWS_AS(softmax_with_sink(Vector{}, 0, 1), std::invalid_argument);
  CHECK_THROWS_WITH_AS(softmax_with_sink(kRow, NAN, 1), "sink: expected a finite number, got NaN",
                       std::invalid_argument);
  CHECK_THROWS_WITH_AS(softmax_with_sink(kRow, 0, 1.5), "gate: expected a number, 0 to 1, got 1.5",
                       std::invalid_argument);
}

#include "core/softmax.h"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <stdexcept>

using attn::Method;
using attn::Precision;
using attn::Status;
using attn::weigh;
using attn::WeighOptions;
using attn::WeighTrace;

namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();

WeighTrace trace_of(const std::vector<double>& scores, WeighOptions options = {}) {
  return weigh(scores, options);
}

std::vector<double> weights_of(const WeighTrace& trace) {
  std::vector<double> weights;
  for (const auto& entry : trace.weights) weights.push_back(entry.value);
  return weights;
}

/// No NaN and no infinity anywhere, and 0 wherever the status says there is no number.
void check_holds_only_numbers(const WeighTrace& trace) {
  const auto check = [](const attn::Entry& entry) {
    CHECK(std::isfinite(entry.value));
    if (entry.status != Status::kOk) CHECK(entry.value == 0);
    CHECK_FALSE(std::signbit(entry.value + 0.0 == 0 ? entry.value : 0.0));
  };
  for (const auto* list : {&trace.scores, &trace.shifted, &trace.parts, &trace.weights})
    for (const auto& entry : *list) check(entry);
  check(trace.shift);
  check(trace.sum);
}

}  // namespace

TEST_CASE("softmax of 8, 7, 9 worked by hand") {
  // Subtracting 9 leaves −1, −2, 0; with e⁻¹ = 0.36787944, e⁻² = 0.13533528 the sum is 1.50321472.
  const auto trace = trace_of({8, 7, 9});
  CHECK(trace.shift.value == 9);
  CHECK(trace.shifted[1].value == -2);
  CHECK(trace.parts[0].value == doctest::Approx(0.36787944117144233));
  CHECK(trace.parts[2].value == 1);
  CHECK(trace.sum.value == doctest::Approx(1.5032147244080550));
  CHECK(trace.weights[0].value == doctest::Approx(0.24472847105479764));
  CHECK(trace.weights[1].value == doctest::Approx(0.09003057317038046));
  CHECK(trace.weights[2].value == doctest::Approx(0.66524095577482190));
  CHECK(trace.valid);
  CHECK(*trace.max_weight == trace.weights[2].value);
}

TEST_CASE("plain shares of 10, 3, −4 are defined but are not weights") {
  // The sum is 9; −4/9 is negative.
  WeighOptions options;
  options.method = Method::kShare;
  const auto trace = trace_of({10, 3, -4}, options);
  CHECK(weights_of(trace) == std::vector<double>{10.0 / 9, 3.0 / 9, -4.0 / 9});
  CHECK(trace.defined);
  CHECK_FALSE(trace.valid);
  CHECK_FALSE(trace.entropy.has_value());
  CHECK_FALSE(trace.max_weight.has_value());
}

TEST_CASE("shares change when every score gains a constant, softmax does not") {
  WeighOptions share;
  share.method = Method::kShare;
  share.offset = -7;  // 8, 7, 9 → 1, 0, 2
  CHECK(weights_of(trace_of({8, 7, 9}, share)) == std::vector<double>{1.0 / 3, 0, 2.0 / 3});
  WeighOptions softmax;
  softmax.offset = -7;
  // Small integers are exact, so no bit changes.
  CHECK(weights_of(trace_of({8, 7, 9}, softmax)) == weights_of(trace_of({8, 7, 9})));
}

TEST_CASE("with the minimum subtracted, a new token changes the ratio of the others") {
  // 10, 3, −4 → 14, 7, 0 over 21. With −11 as well → 21, 14, 7, 0 over 42.
  WeighOptions options;
  options.method = Method::kShift;
  const auto before = trace_of({10, 3, -4}, options);
  CHECK(before.shift.value == -4);
  CHECK(weights_of(before) == std::vector<double>{14.0 / 21, 7.0 / 21, 0});
  CHECK(weights_of(trace_of({10, 3, -4, -11}, options)) ==
        std::vector<double>{21.0 / 42, 14.0 / 42, 7.0 / 42, 0});
  CHECK_FALSE(before.jacobian_norm.has_value());
}

TEST_CASE("a new token does not change the ratio of the others' softmax weights") {
  const auto before = trace_of({2, 1});
  const auto after = trace_of({2, 1, 5});
  // Both ratios are e up to rounding: three roundings each, 2⁻⁵³ relative.
  CHECK(before.weights[0].value / before.weights[1].value ==
        doctest::Approx(std::exp(1.0)).epsilon(1e-15));
  CHECK(after.weights[0].value / after.weights[1].value ==
        doctest::Approx(std::exp(1.0)).epsilon(1e-15));
}

TEST_CASE("temperature divides the scores; base 2 is temperature 1/ln 2") {
  // e^(2/0.5), e^(1/0.5), 1 ÷ their sum: 0.8668, 0.1173, 0.0159 with entropy 0.40147.
  WeighOptions cold;
  cold.temperature = 0.5;
  const auto trace = trace_of({2, 1, 0}, cold);
  CHECK(trace.weights[0].value == doctest::Approx(0.8668133321973347));
  CHECK(*trace.entropy == doctest::Approx(0.40147).epsilon(1e-5));
  WeighOptions base_two;
  base_two.temperature = 1 / std::log(2.0);
  // 2² : 2¹ : 2⁰ = 4 : 2 : 1
  const auto two = trace_of({2, 1, 0}, base_two);
  CHECK(two.weights[0].value == doctest::Approx(4.0 / 7));
  CHECK(two.weights[1].value == doctest::Approx(2.0 / 7));
}

TEST_CASE("float32 without the maximum subtracted: overflow and undefined by name") {
  WeighOptions naive;
  naive.precision = Precision::kFloat32;
  naive.stable = false;
  SUBCASE("all exponentials overflow: e^88.73 is past the largest float") {
    const auto trace = trace_of({88.8, 100, 102}, naive);
    for (const auto& part : trace.parts) CHECK(part.status == Status::kOverflow);
    CHECK(trace.sum.status == Status::kOverflow);
    for (const auto& weight : trace.weights) CHECK(weight.status == Status::kUndefined);
    CHECK_FALSE(trace.defined);
    CHECK_FALSE(trace.valid);
    check_holds_only_numbers(trace);
  }
  SUBCASE("one overflows: it is ∞/∞, the others are finite/∞ = 0") {
    const auto trace = trace_of({1000, -1000, 0}, naive);
    CHECK(trace.weights[0].status == Status::kUndefined);
    CHECK(trace.weights[1].status == Status::kOk);
    CHECK(trace.weights[1].value == 0);
    check_holds_only_numbers(trace);
  }
  SUBCASE("all underflow: 0/0") {
    const auto trace = trace_of({-200, -300}, naive);
    CHECK(trace.sum.value == 0);
    CHECK(trace.sum.status == Status::kOk);
    CHECK(trace.weights[0].status == Status::kUndefined);
  }
  SUBCASE("only the sum overflows: every weight is 0, which is no distribution") {
    const auto trace = trace_of({88.5, 88.5}, naive);
    CHECK(trace.parts[0].status == Status::kOk);
    CHECK(trace.sum.status == Status::kOverflow);
    CHECK(trace.weights[0].value == 0);
    CHECK(trace.defined);
    CHECK_FALSE(trace.valid);
  }
  SUBCASE("with the maximum subtracted all are finite") {
    naive.stable = true;
    for (const auto& scores :
         {std::vector<double>{88.8, 100, 102}, {1000, -1000, 0}, {-200, -300}, {88.5, 88.5}})
      CHECK(trace_of(scores, naive).valid);
  }
  SUBCASE("float64 holds e^102 but not e^1000") {
    naive.precision = Precision::kFloat64;
    CHECK(trace_of({88.8, 100, 102}, naive).valid);
    CHECK_FALSE(trace_of({1000, 1001, 1002}, naive).defined);
  }
}

TEST_CASE("float32 rounds every step") {
  // 0.1f + 0.2f is 0.3f exactly rounded: 0.300000012; in float64 the scores stay 0.1 + 0.2.
  WeighOptions options;
  options.precision = Precision::kFloat32;
  options.offset = 0.2;
  const auto trace = trace_of({0.1, 1}, options);
  CHECK(trace.scores[0].value == static_cast<double>(0.1f + 0.2f));
  // Every value is one that a float can hold.
  for (const auto* list : {&trace.scores, &trace.shifted, &trace.parts, &trace.weights})
    for (const auto& entry : *list)
      CHECK(entry.value == static_cast<double>(static_cast<float>(entry.value)));
}

TEST_CASE("scores too large for float32 have status overflow, and nothing becomes NaN") {
  WeighOptions options;
  options.precision = Precision::kFloat32;
  const auto trace = trace_of({1e39, 0}, options);
  CHECK(trace.scores[0].status == Status::kOverflow);
  CHECK(trace.shift.status == Status::kOverflow);
  CHECK(trace.shifted[0].status == Status::kUndefined);  // ∞ − ∞
  check_holds_only_numbers(trace);
}

TEST_CASE("shares of scores that sum to zero are undefined, not overflow") {
  WeighOptions options;
  options.method = Method::kShare;
  for (const auto& weight : trace_of({5, -5}, options).weights)
    CHECK(weight.status == Status::kUndefined);
  options.method = Method::kShift;
  CHECK(trace_of({4}, options).weights[0].status == Status::kUndefined);  // (4 − 4)/0
}

TEST_CASE("a single token has weight 1, entropy 0 and a Jacobian of 0") {
  const auto trace = trace_of({-3});
  CHECK(trace.weights[0].value == 1);
  CHECK(*trace.entropy == 0);
  CHECK(*trace.jacobian_norm == 0);
}

TEST_CASE("two hundred equal scores give uniform weights and entropy 1") {
  const auto trace = trace_of(std::vector<double>(200, 0.3));
  CHECK(trace.weights[7].value == doctest::Approx(0.005));
  CHECK(*trace.entropy == doctest::Approx(1));
  CHECK(*trace.entropy <= 1);
}

TEST_CASE("no result is ever −0") {
  WeighOptions options;
  options.method = Method::kShare;
  check_holds_only_numbers(trace_of({0, -1}, options));
  check_holds_only_numbers(trace_of({-0.0, 2}, options));
}

TEST_CASE("bad input is refused by name") {
  CHECK_THROWS_WITH_AS(trace_of({}), "scores: expected at least one number, got none",
                       std::invalid_argument);
  CHECK_THROWS_WITH_AS(trace_of({1, std::nan("")}), "scores[1]: expected a finite number, got NaN",
                       std::invalid_argument);
  WeighOptions options;
  options.temperature = 0;
  CHECK_THROWS_WITH_AS(trace_of({1}, options),
                       "temperature: expected a finite number above 0, got 0",
                       std::invalid_argument);
  options = {};
  options.offset = kInf;
  CHECK_THROWS_WITH_AS(trace_of({1}, options), "offset: expected a finite number, got Infinity",
                       std::invalid_argument);
}

TEST_CASE("softmax_in_place: hidden entries are exactly 0, and the others are as without them") {
  std::vector<double> row = {1, -kInf, 0};
  attn::softmax_in_place(row);
  CHECK(row[1] == 0);
  CHECK(row[0] == doctest::Approx(0.7310585786300049));
  std::vector<double> hidden = {-kInf, -kInf};
  CHECK_THROWS_WITH_AS(attn::softmax_in_place(hidden),
                       "scores: expected at least one visible entry, got none",
                       std::invalid_argument);
  std::vector<double> infinite = {0, kInf};
  CHECK_THROWS_AS(attn::softmax_in_place(infinite), std::invalid_argument);
}

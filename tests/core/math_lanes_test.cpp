#include "core/math_lanes.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/gpt/row_softmax.h"

namespace {

float exp_of(float x) { return attn::exp_lanes(attn::Lanes<float>{} + x)[0]; }

}  // namespace

TEST_CASE("exp in lanes: within one unit in the last place of attn::exp") {
  // attn::exp in double is far more accurate than a float's last place.
  double worst = 0;
  for (int i = 0; i <= 1750000; ++i) {
    const float x = -87.0f + static_cast<float>(i) * 1e-4f;
    const double exact = attn::exp(static_cast<double>(x));
    const float nearest = static_cast<float>(exact);
    const double unit = static_cast<double>(std::nextafter(nearest, 1e38f) - nearest);
    worst = std::max(worst, std::abs(static_cast<double>(exp_of(x)) - exact) / unit);
  }
  CHECK(worst < 1.0);
  CHECK(worst > 0.5);  // a smaller error would mean that the measurement is wrong
}

TEST_CASE("exp in lanes: 1 at 0, 0 where float ends, a finite largest value, NaN for NaN") {
  const float infinity = std::numeric_limits<float>::infinity();
  CHECK(exp_of(0) == 1);
  CHECK(exp_of(-0.0f) == 1);
  CHECK(exp_of(-87.0f) > 0);
  CHECK(exp_of(std::nextafter(-87.0f, -88.0f)) == 0);
  CHECK(exp_of(-infinity) == 0);
  CHECK(exp_of(88) == exp_of(1000));
  CHECK(exp_of(infinity) == exp_of(88));
  CHECK(std::isnan(exp_of(std::numeric_limits<float>::quiet_NaN())));
  // Checks every lane, not only the first.
  const attn::Lanes<float> x = {0, 1, -100, 2, std::nanf(""), 0, 90, -1};
  const auto y = attn::exp_lanes(x);
  for (int j = 0; j < 8; ++j) {
    CAPTURE(j);
    CHECK((y[j] == exp_of(x[j]) || std::isnan(x[j])));
  }
  CHECK(std::isnan(y[4]));
}

TEST_CASE("sums in lanes: lane j adds every eighth element, one tree joins them") {
  // 19 numbers: lanes 0 to 2 add three each, the others two. Lane 0 has a number so large that the
  // order matters.
  float x[19];
  for (int i = 0; i < 19; ++i) x[i] = 1.0f / static_cast<float>(i + 1);
  x[8] = 1e7f;
  float lane[8] = {};
  for (int i = 0; i < 19; ++i) lane[i % 8] += x[i];
  const float expected =
      ((lane[0] + lane[4]) + (lane[2] + lane[6])) + ((lane[1] + lane[5]) + (lane[3] + lane[7]));
  attn::Lanes<float> sum = {};
  attn::for_lanes(19, [&](int i, auto n) { sum += attn::load(x + i, n); });
  CHECK(attn::sum_of<float>(sum) == expected);
}

TEST_CASE("softmax of a row of any length sums to 1, and agrees with a case worked by hand") {
  for (int n = 1; n <= 40; ++n) {
    float row[40];
    for (int i = 0; i < n; ++i) row[i] = static_cast<float>(i * 37 % 11) - 5.5f;
    attn::softmax_row(row, n);
    float total = 0;
    for (int i = 0; i < n; ++i) total += row[i];
    CHECK(total == doctest::Approx(1).epsilon(1e-6));
  }
  // softmax(1, 2, 0.5) = e^−1, 1, e^−1.5 over their sum 1.591010 = 0.231224, 0.628532, 0.140244.
  double row[] = {1, 2, 0.5};
  attn::softmax_row(row, 3);
  CHECK(row[0] == doctest::Approx(0.231224).epsilon(1e-5));
  CHECK(row[1] == doctest::Approx(0.628532).epsilon(1e-5));
  CHECK(row[2] == doctest::Approx(0.140244).epsilon(1e-5));
}

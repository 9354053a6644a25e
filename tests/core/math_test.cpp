#include "core/math.h"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <stdexcept>

#include "core/rng.h"

namespace {

// The slow, accurate version: the C library on long double, whose 64-bit mantissa errs by about
// 1/2048 of a step of double.
static_assert(std::numeric_limits<long double>::digits >= 64);
using Exact = long double (*)(long double);

constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

/// |value − exact| in steps of T at the exact result.
template <class T>
double ulps(T value, long double exact) {
  const long double magnitude = std::fabs(exact);
  int exponent = 0;
  std::frexp(magnitude, &exponent);
  const int lowest = std::numeric_limits<T>::min_exponent;
  if (exponent < lowest) exponent = lowest;
  const long double step = std::ldexp(1.0L, exponent - std::numeric_limits<T>::digits);
  return static_cast<double>(std::fabs(static_cast<long double>(value) - exact) / step);
}

/// Largest error over random points of [lo, hi] and, for small arguments, of every magnitude.
template <class T>
double worst(T (*function)(T), Exact exact, double lo, double hi) {
  attn::Rng rng(7);
  double largest = 0;
  for (int i = 0; i < 300000; ++i) {
    double x = lo + (hi - lo) * rng.uniform();
    if (i % 4 == 0) x = std::ldexp(x, -static_cast<int>(rng.below(60)));
    const T argument = static_cast<T>(x);
    largest = std::max(largest, ulps(function(argument), exact(argument)));
  }
  return largest;
}

}  // namespace

TEST_CASE("exp, log, sin, cos and tanh stay within the stated error in double") {
  CHECK(worst<double>(attn::exp, std::exp, -708, 709.7) < 0.75);
  CHECK(worst<double>(attn::exp, std::exp, -1, 1) < 0.75);
  CHECK(worst<double>(attn::exp, std::exp, -745, -708) <= 1.0);  // below the normal range
  CHECK(worst<double>(attn::log, std::log, 0, 1e300) < 0.9);
  CHECK(worst<double>(attn::log, std::log, 0.5, 2) < 0.9);
  CHECK(worst<double>(attn::log, std::log, 1e-320, 1e-308) < 0.9);
  CHECK(worst<double>(attn::sin, std::sin, -10, 10) < 0.85);
  CHECK(worst<double>(attn::sin, std::sin, -0x1p30, 0x1p30) < 0.85);
  CHECK(worst<double>(attn::cos, std::cos, -10, 10) < 0.85);
  CHECK(worst<double>(attn::cos, std::cos, -0x1p30, 0x1p30) < 0.85);
  CHECK(worst<double>(attn::tanh, std::tanh, -22, 22) < 1.0);
  CHECK(worst<double>(attn::tanh, std::tanh, -0.5, 0.5) < 1.0);
}

TEST_CASE("the float versions stay within the stated error") {
  CHECK(worst<float>(attn::exp, std::exp, -87, 88.7) < 0.501);
  CHECK(worst<float>(attn::exp, std::exp, -103, -87) < 0.501);
  CHECK(worst<float>(attn::log, std::log, 0, 1e30) < 0.501);
  CHECK(worst<float>(attn::sin, std::sin, -1000, 1000) < 0.501);
  CHECK(worst<float>(attn::cos, std::cos, -1000, 1000) < 0.501);
  CHECK(worst<float>(attn::tanh, std::tanh, -10, 10) < 0.501);
}

TEST_CASE("sine and cosine keep their digits beside multiples of π/2") {
  // The double nearest to k·π/2 leaves a tiny remainder, all of whose digits come from the parts of
  // π/2. Long double has too few of them, so the check is the identity sin² + cos² = 1 on the large
  // one, and for the small one the published remainder of π as a double: sin(3.141592653589793) =
  // 1.2246467991473532e−16 (π − 3.141592653589793115997963… = 1.2246467991473531772e−16).
  CHECK(attn::sin(3.141592653589793) == 1.2246467991473532e-16);
  CHECK(attn::cos(3.141592653589793) == -1.0);
  CHECK(attn::cos(1.5707963267948966) == 6.123233995736766e-17);
  // 2^20 turns: 2π·2^20 as a double is 2^21 times π as a double, and so is the remainder.
  CHECK(attn::sin(0x1p20 * 3.141592653589793) == -0x1p20 * 1.2246467991473532e-16);
}

TEST_CASE("exp: the ends of the range") {
  CHECK(attn::exp(0.0) == 1.0);
  CHECK(attn::exp(1.0) == 2.718281828459045);  // the double nearest to e
  CHECK(attn::exp(-kInf) == 0.0);
  CHECK(attn::exp(kInf) == kInf);
  CHECK(std::isnan(attn::exp(kNan)));
  // ln of the largest double is 709.7827128933840 and of the largest float 88.72283905.
  CHECK(attn::exp(709.782712893384) < kInf);
  CHECK(attn::exp(709.782712893385) == kInf);
  CHECK(attn::exp(-745.2) == 0.0);
  CHECK(attn::exp(-745.1) == std::numeric_limits<double>::denorm_min());
  CHECK(attn::exp(88.7228f) < std::numeric_limits<float>::infinity());
  CHECK(attn::exp(88.7229f) == std::numeric_limits<float>::infinity());
}

TEST_CASE("log: zero, one, infinity, negative") {
  CHECK(attn::log(1.0) == 0.0);
  CHECK(attn::log(0.0) == -kInf);
  CHECK(attn::log(kInf) == kInf);
  CHECK(std::isnan(attn::log(-1.0)));
  CHECK(std::isnan(attn::log(kNan)));
  CHECK(attn::log(std::numeric_limits<double>::denorm_min()) ==
        doctest::Approx(-1074 * std::log(2.0)));
}

TEST_CASE("tanh is odd and saturates at one") {
  CHECK(attn::tanh(-0.7) == -attn::tanh(0.7));
  CHECK(attn::tanh(1e-300) == 1e-300);
  CHECK(attn::tanh(kInf) == 1.0);
  CHECK(attn::tanh(-40.0) == -1.0);
  CHECK(std::isnan(attn::tanh(kNan)));
}

TEST_CASE("sin and cos refuse arguments beyond 2^30") {
  CHECK_THROWS_WITH_AS(attn::sin(1e10), "sin: expected |x| <= 2^30, got 10000000000",
                       std::invalid_argument);
  CHECK_THROWS_AS(attn::cos(-kInf), std::invalid_argument);
  CHECK(std::isnan(attn::sin(kNan)));
}

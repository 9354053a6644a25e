#include "core/math.h"

#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <utility>

#include "core/bits.h"
#include "core/check.h"

namespace attn {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// ln 2 and π/2 in parts: the leading parts end early enough that their products with the integers
// used below are exact. Each last part is rounded.
constexpr double kLn2High = 0x1.62e42fefa3800p-1;  // 42 bits
constexpr double kLn2Low = 0x1.ef35793c76730p-45;
constexpr double kInverseLn2 = 0x1.71547652b82fep+0;
constexpr double kHalfPi1 = 0x1.921fb40000000p+0;   // to 2^−22
constexpr double kHalfPi2 = 0x1.4442d00000000p-24;  // to 2^−45
constexpr double kHalfPi3 = 0x1.8469800000000p-48;  // to 2^−68
constexpr double kHalfPi4 = 0x1.3198a2e037073p-69;
constexpr double kTwoOverPi = 0x1.45f306dc9c883p-1;

constexpr double kExpOverflow = 0x1.62e42fefa39efp+9;  // ln of the largest double
constexpr double kExpUnderflow = -745.1332191019412;   // ln of half the smallest double
constexpr double kSinLimit = 0x1p30;

/// 1/(first)!, 1/(first + step)!, …, with alternating signs on request.
template <std::size_t N>
constexpr std::array<double, N> inverse_factorials(int first, int step, bool alternate) {
  std::array<double, N> c{};
  for (std::size_t i = 0; i < N; ++i) {
    double factorial = 1;  // exact up to 18!
    for (int k = 2; k <= first + static_cast<int>(i) * step; ++k) factorial *= k;
    c[i] = (alternate && i % 2 == 1 ? -1.0 : 1.0) / factorial;
  }
  return c;
}

/// c[0] + c[1] x + c[2] x² + …, from the highest power down.
template <std::size_t N>
double polynomial(double x, const std::array<double, N>& c) {
  double sum = c[N - 1];
  for (std::size_t i = N - 1; i-- > 0;) sum = sum * x + c[i];
  return sum;
}

/// Nearest integer, ties to even, for |x| < 2^51.
double round_to_integer(double x) {
  constexpr double kShift = 0x1.8p52;
  return (x + kShift) - kShift;
}

/// 2^k for −1022 ≤ k ≤ 1023.
double power_of_two(int k) { return bit_cast<double>(static_cast<std::uint64_t>(k + 1023) << 52); }

/// An unevaluated sum, |low| far below |high|.
struct Sum {
  double high, low;
};

/// a + b without error (Knuth).
Sum exact_sum(double a, double b) {
  const double s = a + b;
  const double t = s - a;
  return {s, (a - (s - t)) + (b - t)};
}

/// x = k ln 2 + high + low with |high + low| ≤ (ln 2)/2, and e^(high + low) = 1 + high + tail.
struct ExpParts {
  int k;
  double high, tail;
};

ExpParts exp_parts(double x) {
  // e^r = 1 + r + r² (1/2! + r/3! + …): the first term left out, r^14/14!, is below 2^−57.
  constexpr auto kSeries = inverse_factorials<12>(2, 1, false);
  const double k = round_to_integer(x * kInverseLn2);
  const double high = x - k * kLn2High;
  const double low = -(k * kLn2Low);
  const double r = high + low;
  return {static_cast<int>(k), high, low + r * r * polynomial(r, kSeries)};
}

/// r = high + low in [−π/4, π/4].
double sin_kernel(Sum r) {
  // sin r = r + r³ (−1/3! + r²/5! − …), and the slope at r carries `low`.
  constexpr auto kSeries = inverse_factorials<8>(3, 2, true);
  const double square = r.high * r.high;
  const double cubic = -(r.high * square * polynomial(square, kSeries));
  return r.high + (cubic + r.low * (1 - 0.5 * square));
}

double cos_kernel(Sum r) {
  // cos r = 1 − r²/2 + r⁴ (1/4! − …); the rounding error of 1 − r²/2 is added back.
  constexpr auto kSeries = inverse_factorials<8>(4, 2, true);
  const double square = r.high * r.high;
  const double half = 0.5 * square;
  const double head = 1 - half;
  const double rest = square * square * polynomial(square, kSeries) - r.high * r.low;
  return head + (((1 - head) - half) + rest);
}

/// x = quarter · π/2 + rest, quarter modulo 4.
std::pair<int, Sum> quarter_turns(double x, const char* function) {
  if (!(x >= -kSinLimit && x <= kSinLimit)) refuse(function, "|x| <= 2^30", text_of(x));
  const double n = round_to_integer(x * kTwoOverPi);
  // n < 2^30, so the first two steps are exact and so is every product but the last.
  const double near = (x - n * kHalfPi1) - n * kHalfPi2;
  Sum rest = exact_sum(near, -(n * kHalfPi3));
  rest = exact_sum(rest.high, rest.low - n * kHalfPi4);
  return {static_cast<int>(static_cast<std::int64_t>(n) & 3), rest};
}

}  // namespace

double exp(double x) noexcept {
  if (x != x) return x;
  if (x > kExpOverflow) return kInfinity;
  if (x < kExpUnderflow) return 0;
  const ExpParts p = exp_parts(x);
  // The rounding error of 1 + high is added back.
  const double head = 1 + p.high;
  const double y = head + ((p.high - (head - 1)) + p.tail);
  // Two factors, since k runs from −1075 to 1024; only the second product can round.
  const int half = p.k / 2;
  return y * power_of_two(half) * power_of_two(p.k - half);
}

double log(double x) noexcept {
  if (x != x || x == kInfinity) return x;
  if (x == 0) return -kInfinity;
  if (x < 0) return std::numeric_limits<double>::quiet_NaN();
  int k = 0;
  if (x < std::numeric_limits<double>::min()) {
    x *= 0x1p54;
    k = -54;
  }
  // x = 2^k m with m in [√½, √2).
  auto bits = bit_cast<std::uint64_t>(x);
  k += static_cast<int>(bits >> 52) - 1023;
  bits = (bits & 0x000fffffffffffff) | 0x3ff0000000000000;
  double m = bit_cast<double>(bits);
  if (m >= 0x1.6a09e667f3bcdp+0) {
    m *= 0.5;
    ++k;
  }
  // With s = f/(2 + f): ln(1 + f) = 2 artanh s = 2s + s R, R = 2s²/3 + 2s⁴/5 + …, and
  // 2s = f − s f, s f = f²/2 − s f²/2 turn it into f minus a small correction.
  constexpr auto kSeries = [] {
    std::array<double, 11> c{};  // the first term left out, 2 s^24/25, is below 2^−64
    for (int i = 0; i < 11; ++i) c[static_cast<std::size_t>(i)] = 2.0 / (2 * i + 3);
    return c;
  }();
  const double f = m - 1;
  const double s = f / (2 + f);
  const double square = s * s;
  const double rest = square * polynomial(square, kSeries);
  const double half = 0.5 * f * f;
  return k * kLn2High - ((half - (s * (half + rest) + k * kLn2Low)) - f);
}

double sin(double x) {
  if (x != x) return x;
  const auto [quarter, rest] = quarter_turns(x, "sin");
  const double y = quarter % 2 == 0 ? sin_kernel(rest) : cos_kernel(rest);
  return quarter < 2 ? y : -y;
}

double cos(double x) {
  if (x != x) return x;
  const auto [quarter, rest] = quarter_turns(x, "cos");
  const double y = quarter % 2 == 0 ? cos_kernel(rest) : sin_kernel(rest);
  return quarter == 0 || quarter == 3 ? y : -y;
}

double tanh(double x) noexcept {
  if (x != x || x == 0) return x;
  const double a = x < 0 ? -x : x;
  double y = 1;
  if (a < 0x1p-28) {
    y = a;  // the next term, a³/3, is below half a step
  } else if (a < 20) {
    // tanh a = E/(E + 2) with E = e^(2a) − 1 = (2^k − 1) + 2^k (e^r − 1), as an unevaluated sum so
    // that the quotient is the only rounding that counts.
    const ExpParts p = exp_parts(2 * a);
    const double scale = power_of_two(p.k);
    const Sum growth = exact_sum(p.high * scale, p.tail * scale);
    Sum numerator = exact_sum(scale - 1, growth.high);
    numerator.low += growth.low;
    const Sum denominator = exact_sum(numerator.high, 2);
    const double d = denominator.high + (denominator.low + numerator.low);
    const double q = numerator.high / d;
    // numerator − q · denominator, with q cut in two so that its leading product is exact.
    const double q_high = bit_cast<double>(bit_cast<std::uint64_t>(q) & ~0x7ffffffull);
    const double d_high = bit_cast<double>(bit_cast<std::uint64_t>(d) & ~0x7ffffffull);
    const double d_low = ((denominator.high - d_high) + denominator.low) + numerator.low;
    const double remainder =
        ((numerator.high - q_high * d_high) - (q - q_high) * d_high) - q * d_low + numerator.low;
    y = q + remainder / d;
  }
  return x < 0 ? -y : y;
}

}  // namespace attn

#include "core/number_format.h"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>

using attn::kBfloat16;
using attn::kFloat16;
using attn::rounded;

namespace {
constexpr double kInf = std::numeric_limits<double>::infinity();
}

TEST_CASE("float16 has 11 digits, steps of 2^-24 at the bottom and 65504 at the top") {
  // 1.001 lies between 1 and 1 + 2^-10 = 1.0009765625, nearer to the latter.
  CHECK(rounded(1.001, kFloat16) == 1.0009765625);
  CHECK(rounded(65504, kFloat16) == 65504);
  CHECK(rounded(65519, kFloat16) == 65504);
  CHECK(rounded(65520, kFloat16) == kInf);  // a tie, and 65536 would be the even one
  CHECK(rounded(-1e9, kFloat16) == -kInf);
  CHECK(rounded(std::ldexp(1.0, -24), kFloat16) == std::ldexp(1.0, -24));
  CHECK(rounded(std::ldexp(1.0, -25), kFloat16) == 0);  // a tie again
  CHECK(rounded(2049, kFloat16) == 2048);
  CHECK(rounded(2051, kFloat16) == 2052);
}

TEST_CASE("bfloat16 has 8 digits and the range of float32") {
  CHECK(rounded(1.001, kBfloat16) == 1);
  // 10^9 = 119.2… · 2^23, and steps are 2^22: 238 · 2^22.
  CHECK(rounded(-1e9, kBfloat16) == -998244352.0);
  CHECK(rounded(3.39e38, kBfloat16) == std::ldexp(255.0, 120));
  CHECK(rounded(3.4e38, kBfloat16) == kInf);
  CHECK(rounded(4.1756, kBfloat16) == 4.1875);
}

TEST_CASE("zeros, infinities and NaN stay as they are") {
  CHECK(rounded(-kInf, kBfloat16) == -kInf);
  CHECK(std::isnan(rounded(std::nan(""), kFloat16)));
  CHECK(std::signbit(rounded(-0.0, kFloat16)));
}

#include "core/stored_number.h"

#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <stdexcept>

#include "core/bits.h"
#include "core/rng.h"

using namespace attn;
using Format = StorageFormat;

namespace {

/// float16 by the definition of its fields, in the standard's words; ±∞ and NaN apart.
double read_half(std::uint32_t bits) {
  const std::uint32_t exponent = bits >> 10 & 31;
  const double fraction = (bits & 1023) / 1024.0;
  const double power = std::pow(2.0, exponent == 0 ? -14 : static_cast<int>(exponent) - 15);
  const double size = (exponent == 0 ? fraction : 1 + fraction) * power;
  return bits >> 15 == 1 ? -size : size;
}

}  // namespace

TEST_CASE("stored: all 65,536 patterns of float16 are read by their fields and written back") {
  int numbers = 0;
  int wrong = 0;
  for (std::uint32_t bits = 0; bits < 65536; bits++) {
    const StoredNumber number = number_of_bits(bits, Format::kFloat16);
    if ((bits >> 10 & 31) == 31) {
      const bool infinite = (bits & 1023) == 0;
      wrong += number.kind != (infinite ? NumberKind::kInfinity : NumberKind::kNan);
      continue;
    }
    numbers++;
    wrong += number.value != read_half(bits);
    wrong += stored(number.value, Format::kFloat16).bits != bits;
    wrong += std::ldexp(number.significand, number.exponent) != std::abs(number.value);
  }
  CHECK(numbers == 65536 - 2 * 1024);
  CHECK(wrong == 0);
}

TEST_CASE("stored: every number of float16 is the nearest up to half-way, ties to the even one") {
  // Neighbours differ by one in their patterns, so the even pattern is the one that ends in 0.
  int wrong = 0;
  for (std::uint32_t bits = 0; bits < 0x7BFF; bits++) {
    const double low = read_half(bits);
    const double high = read_half(bits + 1);
    const double middle = (low + high) / 2;
    const double beside = (high - low) / 64;
    wrong += stored(middle, Format::kFloat16).bits != bits + (bits & 1);
    wrong += stored(middle - beside, Format::kFloat16).bits != bits;
    wrong += stored(-middle - beside, Format::kFloat16).bits != (0x8000 | (bits + 1));
    wrong += number_of_bits(bits, Format::kFloat16).above != high;
    wrong += number_of_bits(bits + 1, Format::kFloat16).below != low;
  }
  CHECK(wrong == 0);
}

TEST_CASE("stored: float32 has the bits that the processor writes, bfloat16 their upper half") {
  Rng rng(17);
  int wrong = 0;
  for (int i = 0; i < 20000; i++) {
    const double x = std::ldexp(rng.normal(), static_cast<int>(rng.below(280)) - 150);
    const auto single = bit_cast<std::uint32_t>(static_cast<float>(x));
    wrong += stored(x, Format::kFloat32).bits != single;
    // A number of 8 digits, so that cutting off the lower half is exact.
    const auto cut = static_cast<double>(bit_cast<float>(single & 0xFFFF0000U));
    wrong += std::isfinite(cut) && stored(cut, Format::kBfloat16).bits != single >> 16;
  }
  CHECK(wrong == 0);
}

TEST_CASE("stored: patterns by hand") {
  // 1.001 = 1 + 1.024 / 1024: the first step above 1.
  CHECK(stored(1.001, Format::kFloat16).bits == 0x3C01);
  CHECK(stored(1.001, Format::kBfloat16).bits == 0x3F80);
  CHECK(stored(-2, Format::kFloat16).bits == 0xC000);
  CHECK(stored(65520, Format::kFloat16).kind == NumberKind::kInfinity);
  CHECK(stored(65519, Format::kFloat16).bits == 0x7BFF);
  CHECK(stored(std::nan(""), Format::kFloat16).kind == NumberKind::kNan);
  CHECK(stored(-0.0, Format::kFloat16).bits == 0x8000);
  // OCP table: e4m3 S.1111.110 is 448, S.0000.001 is 2^-9; e5m2 S.11110.11 is 57344.
  CHECK(number_of_bits(0x7E, Format::kE4m3).value == 448);
  CHECK(number_of_bits(0x01, Format::kE4m3).value == std::ldexp(1.0, -9));
  CHECK(number_of_bits(0x7F, Format::kE4m3).kind == NumberKind::kNan);
  CHECK(number_of_bits(0x7B, Format::kE5m2).value == 57344);
  CHECK(number_of_bits(0x7C, Format::kE5m2).kind == NumberKind::kInfinity);
  // 464 lies half-way between 448, which is even, and 480, which e4m3 does not have.
  CHECK(stored(464, Format::kE4m3).value == 448);
  CHECK(stored(465, Format::kE4m3).kind == NumberKind::kNan);
  // At the ends of the range a number has no further neighbour.
  CHECK(stored(65504, Format::kFloat16).above == 65504);
  CHECK(stored(0, Format::kFloat16).below == -std::ldexp(1.0, -24));
  CHECK_THROWS_AS(number_of_bits(0x10000, Format::kFloat16), std::invalid_argument);
}

TEST_CASE("limits: bits, ends and steps of the formats") {
  const FormatLimits half = limits_of(Format::kFloat16);
  CHECK(half.exponent_bits == 5);
  CHECK(half.fraction_bits == 10);
  CHECK(half.bias == 15);
  CHECK(half.max == 65504);
  CHECK(half.min_normal == std::ldexp(1.0, -14));
  CHECK(half.min_subnormal == std::ldexp(1.0, -24));
  CHECK(half.epsilon == std::ldexp(1.0, -10));
  CHECK(half.exp_limit == doctest::Approx(11.0899).epsilon(1e-5));
  const FormatLimits brain = limits_of(Format::kBfloat16);
  CHECK(brain.exponent_bits == 8);
  CHECK(brain.max == std::ldexp(255.0, 120));
  CHECK(brain.exp_limit == doctest::Approx(88.7189).epsilon(1e-5));
  const FormatLimits single = limits_of(Format::kFloat32);
  CHECK(single.max == static_cast<double>(std::numeric_limits<float>::max()));
  CHECK(single.min_subnormal == static_cast<double>(std::numeric_limits<float>::denorm_min()));
  CHECK(single.epsilon == static_cast<double>(std::numeric_limits<float>::epsilon()));
  CHECK(single.bias == 127);
  CHECK(limits_of(Format::kE4m3).exponent_bits == 4);
  CHECK(limits_of(Format::kE4m3).max == 448);
  CHECK(limits_of(Format::kE5m2).exponent_bits == 5);
}

TEST_CASE("sum: 4096 weights of 1/4096 stop at 2^-4 in bfloat16 and at 2^-1 in float16") {
  // From 2^-4 on bfloat16's numbers lie 2^-11 apart: adding 2^-12 is a tie, and 2^-4 is even. It is
  // reached after 2^8 terms. In float16 the same holds from 2^-1 on, after 2^11 terms.
  const double term = std::ldexp(1.0, -12);
  const RoundedSum brain = rounded_sum(term, 4096, 16, Format::kBfloat16);
  CHECK(brain.total == 0.0625);
  CHECK(brain.added == 256);
  CHECK(brain.partial.size() == 16);
  CHECK(brain.partial.front() == 0.0625);
  const RoundedSum half = rounded_sum(term, 4096, 4, Format::kFloat16);
  CHECK(half.total == 0.5);
  CHECK(half.added == 2048);
  CHECK(half.partial[0] == 0.25);
  const RoundedSum single = rounded_sum(term, 4096, 1, Format::kFloat32);
  CHECK(single.total == 1);
  CHECK(single.added == 4096);
  CHECK_THROWS_AS(rounded_sum(1, 0, 1, Format::kFloat32), std::invalid_argument);
  CHECK_THROWS_AS(rounded_sum(1, 4, 5, Format::kFloat32), std::invalid_argument);
}

TEST_CASE("exp: scores beyond ln max overflow") {
  // ln 65504 = 11.09, ln of the largest float32 = 88.72.
  CHECK(exp_overflows({-1000, 11, 11.2, 88, 89, 1000}, Format::kFloat16) == 4);
  CHECK(exp_overflows({-1000, 11, 11.2, 88, 89, 1000}, Format::kFloat32) == 2);
}

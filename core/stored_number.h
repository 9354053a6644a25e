// A number as a short format stores it: its bits, what they mean, and the numbers beside it.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "core/names.h"

namespace attn {

/// The formats in which models are trained and stored.
enum class StorageFormat { kFloat32, kFloat16, kBfloat16, kE4m3, kE5m2 };

template <>
inline constexpr std::array<std::string_view, 5> names<StorageFormat> = {
    "float32", "float16", "bfloat16", "e4m3", "e5m2"};

/// The layout and the limits of a format.
struct FormatLimits {
  int exponent_bits;
  int fraction_bits;  // after the leading 1, which is not stored
  int bias;           // the stored exponent is the power of 2 plus this
  double max;         // the largest number
  double min_normal;  // the smallest with all digits
  double min_subnormal;
  double epsilon;    // from 1 to the next number
  double exp_limit;  // ln max: exp of a larger number overflows
};

/// Source: IEEE 754-2019, table 3.5 (float32, float16); Intel, "BFLOAT16 Hardware Numerics
/// Definition", 2018; OCP 8-bit Floating Point Specification 1.0, table 1 (e4m3, e5m2).
FormatLimits limits_of(StorageFormat format);

enum class NumberKind { kZero, kSubnormal, kNormal, kInfinity, kNan };

template <>
inline constexpr std::array<std::string_view, 5> names<NumberKind> = {"zero", "subnormal", "normal",
                                                                      "infinity", "nan"};

struct StoredNumber {
  std::uint32_t bits = 0;
  NumberKind kind = NumberKind::kZero;
  bool negative = false;
  double value = 0;        // ±0 for a kind that is no number
  int exponent = 0;        // value = ±significand · 2^exponent
  double significand = 0;  // 1 … 2, below 1 for a subnormal number
  /// The next numbers of the format below and above; the value itself at the ends of the range.
  double below = 0;
  double above = 0;
};

/// The nearest number of the format, ties to even. What is too large becomes an infinity, and NaN
/// in e4m3, which has no infinity.
StoredNumber stored(double x, StorageFormat format);

/// The number that the lowest bits stand for.
///
/// @throws std::invalid_argument if a bit is set above those of the format
StoredNumber number_of_bits(std::uint32_t bits, StorageFormat format);

/// A sum of equal terms, one after another; the term and each partial sum are rounded.
struct RoundedSum {
  std::vector<double> partial;  // after count ÷ points, 2 · count ÷ points, … terms
  double total = 0;
  int added = 0;  // terms that changed the sum
};

/// @param count   1 … 2²⁰ terms
/// @param points  1 … count partial sums
/// @throws std::invalid_argument if a number is outside its range or the term is no number
RoundedSum rounded_sum(double term, int count, int points, StorageFormat format);

/// The number of scores whose exponential is beyond the format.
int exp_overflows(const std::vector<double>& scores, StorageFormat format);

}  // namespace attn

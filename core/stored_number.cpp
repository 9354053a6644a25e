#include "core/stored_number.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <string>

#include "core/check.h"
#include "core/math.h"
#include "core/number_format.h"

namespace attn {
namespace {

struct Layout {
  NumberFormat range;
  bool has_infinity;
};

constexpr std::array<Layout, 5> kLayouts = {{
    {{24, -126, 127}, true},
    {kFloat16, true},
    {kBfloat16, true},
    {{4, -6, 8}, false},
    {{3, -14, 15}, true},
}};

const Layout& layout_of(StorageFormat format) { return kLayouts[static_cast<std::size_t>(format)]; }

constexpr int exponent_bits_of(const Layout& layout) {
  // The exponents of normal numbers, that of subnormal ones, and with infinities one more.
  const int exponents = layout.range.max_exponent - layout.range.min_exponent + 2;
  int bits = 1;
  while ((1 << bits) < exponents) bits++;
  return bits;
}

int bits_below_sign(const Layout& layout) {
  return exponent_bits_of(layout) + layout.range.digits - 1;
}

/// The pattern of the largest number.
std::uint32_t largest(const Layout& layout) {
  const int fraction_bits = layout.range.digits - 1;
  const std::uint32_t top = (std::uint32_t{1} << bits_below_sign(layout)) - 1;
  // Without infinities only the pattern of all ones is no number.
  return layout.has_infinity ? top - (std::uint32_t{1} << fraction_bits) : top - 1;
}

/// The value of a pattern without its sign, at most `largest`.
double magnitude(std::uint32_t pattern, const Layout& layout) {
  const int fraction_bits = layout.range.digits - 1;
  const auto exponent = static_cast<int>(pattern >> fraction_bits);
  const std::uint32_t fraction = pattern & ((std::uint32_t{1} << fraction_bits) - 1);
  if (exponent == 0) return std::ldexp(fraction, layout.range.min_exponent - fraction_bits);
  const std::uint32_t significand = fraction | (std::uint32_t{1} << fraction_bits);
  return std::ldexp(significand, exponent - 1 + layout.range.min_exponent - fraction_bits);
}

/// The number `steps` further in the order of the format's numbers, where both zeros are one.
double neighbour(std::uint32_t pattern, bool negative, int steps, const Layout& layout) {
  const auto limit = static_cast<std::int64_t>(largest(layout));
  std::int64_t place = negative ? -std::int64_t{pattern} : std::int64_t{pattern};
  place = std::min(limit, std::max(-limit, place + steps));
  const double size = magnitude(static_cast<std::uint32_t>(std::abs(place)), layout);
  return place < 0 ? -size : size;
}

/// The pattern of a number that is one of the format's.
std::uint32_t pattern_of(double size, const Layout& layout) {
  if (size == 0) return 0;
  const int fraction_bits = layout.range.digits - 1;
  const int exponent = std::max(std::ilogb(size), layout.range.min_exponent);
  const auto significand = static_cast<std::uint32_t>(std::ldexp(size, fraction_bits - exponent));
  // The leading 1 of a normal number adds the 1 by which its stored exponent exceeds this one.
  return (static_cast<std::uint32_t>(exponent - layout.range.min_exponent) << fraction_bits) +
         significand;
}

}  // namespace

FormatLimits limits_of(StorageFormat format) {
  const Layout& layout = layout_of(format);
  const auto& [digits, min_exponent, max_exponent] = layout.range;
  FormatLimits limits;
  limits.exponent_bits = exponent_bits_of(layout);
  limits.fraction_bits = digits - 1;
  limits.bias = 1 - min_exponent;
  limits.max = magnitude(largest(layout), layout);
  limits.min_normal = std::ldexp(1.0, min_exponent);
  limits.min_subnormal = std::ldexp(1.0, min_exponent - digits + 1);
  limits.epsilon = std::ldexp(1.0, 1 - digits);
  limits.exp_limit = attn::log(limits.max);
  return limits;
}

StoredNumber number_of_bits(std::uint32_t bits, StorageFormat format) {
  const Layout& layout = layout_of(format);
  const int sign_place = bits_below_sign(layout);
  if (std::uint64_t{bits} >> (sign_place + 1) != 0) {
    refuse("bits", std::to_string(sign_place + 1) + " bits", std::to_string(bits));
  }
  StoredNumber number;
  number.bits = bits;
  number.negative = bits >> sign_place != 0;
  const std::uint32_t pattern = bits & ((std::uint32_t{1} << sign_place) - 1);
  const std::uint32_t most = largest(layout);
  if (pattern > most) {
    const bool infinite = layout.has_infinity && pattern == most + 1;
    number.kind = infinite ? NumberKind::kInfinity : NumberKind::kNan;
    return number;
  }
  const double size = magnitude(pattern, layout);
  const bool normal = size >= std::ldexp(1.0, layout.range.min_exponent);
  number.kind = normal     ? NumberKind::kNormal
                : size > 0 ? NumberKind::kSubnormal
                           : NumberKind::kZero;
  number.exponent = normal ? std::ilogb(size) : layout.range.min_exponent;
  number.significand = std::ldexp(size, -number.exponent);
  number.value = number.negative ? -size : size;
  number.below = neighbour(pattern, number.negative, -1, layout);
  number.above = neighbour(pattern, number.negative, 1, layout);
  return number;
}

StoredNumber stored(double x, StorageFormat format) {
  const Layout& layout = layout_of(format);
  const std::uint32_t sign = std::signbit(x) ? std::uint32_t{1} << bits_below_sign(layout) : 0;
  const double nearest = std::abs(rounded(x, layout.range));
  const std::uint32_t most = largest(layout);
  // The first pattern behind the largest number is the infinity, or NaN where there is none.
  const bool fits = nearest <= magnitude(most, layout);
  const std::uint32_t nan = std::isnan(x) && layout.has_infinity ? 2 : 1;
  return number_of_bits(sign | (fits ? pattern_of(nearest, layout) : most + nan), format);
}

RoundedSum rounded_sum(double term, int count, int points, StorageFormat format) {
  constexpr int kMost = 1 << 20;
  if (!std::isfinite(term)) refuse("term", "a number", std::to_string(term));
  if (count < 1 || count > kMost) refuse("count", "1 … 1048576", std::to_string(count));
  if (points < 1 || points > count) refuse("points", "1 … count", std::to_string(points));
  const NumberFormat& range = layout_of(format).range;
  const double kept = rounded(term, range);
  RoundedSum sum;
  for (int i = 1, point = 1; i <= count; i++) {
    const double next = rounded(sum.total + kept, range);
    if (next != sum.total) sum.added = i;
    sum.total = next;
    const auto due = static_cast<std::int64_t>(point) * count / points;
    if (i == due) {
      sum.partial.push_back(sum.total);
      point++;
    }
  }
  return sum;
}

int exp_overflows(const std::vector<double>& scores, StorageFormat format) {
  int count = 0;
  for (const double score : scores) {
    const NumberKind kind = stored(attn::exp(score), format).kind;
    if (kind == NumberKind::kInfinity || kind == NumberKind::kNan) count++;
  }
  return count;
}

}  // namespace attn

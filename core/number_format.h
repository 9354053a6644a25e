// Binary number formats shorter than double.
#pragma once

namespace attn {

struct NumberFormat {
  int digits;        // of the significand, the leading 1 among them
  int min_exponent;  // of the smallest normal number, 2^min_exponent
  int max_exponent;  // numbers from 2^(max_exponent + 1) on overflow
};

constexpr NumberFormat kFloat16{11, -14, 15};
constexpr NumberFormat kBfloat16{8, -126, 127};

/// The nearest number of the format, ties to even; ±∞ where it overflows; NaN for NaN.
/// Source: IEEE 754-2019, section 4.3.1 (roundTiesToEven).
double rounded(double x, NumberFormat format) noexcept;

}  // namespace attn

// Elementary functions whose bits are the same on every machine.
//
// C libraries disagree in the last digit, and some choose their code by the processor.
// These use only + − × ÷ and sqrt, which IEEE 754 rounds exactly, in one fixed order, and must be
// compiled with -ffp-contract=off.
//
// Error in units in the last place of the exact result, tested against 64-bit-mantissa arithmetic:
// double below 0.75 (exp), 0.85 (sin, cos), 0.9 (log) and 1.0 (tanh); float below 0.501, as it is
// computed in double and rounded once. exp below the normal range: one smallest step.
#pragma once

namespace attn {

/// e^x: 0 at −∞ and below −745.14, +∞ above 709.79 (float: above 88.73), NaN for NaN; exp(0) = 1.
double exp(double x) noexcept;

/// ln x: −∞ at 0, +∞ at +∞, NaN below 0 and for NaN; log(1) = 0.
double log(double x) noexcept;

/// Sine of x radians; NaN for NaN.
/// @throws std::invalid_argument if |x| > 2^30, the limit of the reduction by multiples of π/2
double sin(double x);

/// Cosine of x radians; NaN for NaN.
/// @throws std::invalid_argument if |x| > 2^30
double cos(double x);

/// Hyperbolic tangent, ±1 at ±∞, NaN for NaN; odd bit for bit.
double tanh(double x) noexcept;

inline float exp(float x) noexcept { return static_cast<float>(exp(static_cast<double>(x))); }
inline float log(float x) noexcept { return static_cast<float>(log(static_cast<double>(x))); }
inline float sin(float x) { return static_cast<float>(sin(static_cast<double>(x))); }
inline float cos(float x) { return static_cast<float>(cos(static_cast<double>(x))); }
inline float tanh(float x) noexcept { return static_cast<float>(tanh(static_cast<double>(x))); }

}  // namespace attn

// Slope of a line on logarithmic axes.
#pragma once

namespace attn {

/// The exponent p of y ∝ x^p through two points: (ln y₁ − ln y₀) ÷ (ln x₁ − ln x₀).
///
/// @throws std::invalid_argument unless all four are positive and finite and x₁ differs from x₀
double log_slope(double x0, double y0, double x1, double y1);

}  // namespace attn

// GELU in its tanh form: x · ½ (1 + tanh u) with u = √(2/π) (x + 0.044715 x³).
//
// ½ (1 + tanh u) = 1/(1 + e^(−2u)), so one exp suffices.
// Source: Hendrycks and Gimpel 2016, "Gaussian Error Linear Units", section 2.
#pragma once

namespace attn {

/// @param x     (rows, d) in: without its bias; out: with it, for the backward pass
/// @param bias  (d)
/// @param y     (rows, d) out
template <class T>
void bias_gelu(int rows, int d, const T* bias, T* x, T* y);

/// @param x   (n) as bias_gelu left it
/// @param dy  (n) in: gradient of y; out: gradient of x
template <class T>
void gelu_backward(int n, const T* x, T* dy);

}  // namespace attn

// Layer normalisation of rows: y = (x − mean) / √(variance + 10⁻⁵) · gain + bias.
//
// Source: Ba, Kiros and Hinton 2016, "Layer Normalization".
#pragma once

namespace attn {

/// @param x     (rows, d)
/// @param gain  (d), `bias` too
/// @param y     (rows, d) out
/// @param mean  (rows) out, for the backward pass; `scale` too: 1/√(variance + 10⁻⁵)
template <class T>
void layer_norm(int rows, int d, const T* x, const T* gain, const T* bias, T* y, T* mean, T* scale);

/// The gradient of x: with h = dy · gain and x̂ the normalised row,
/// dx = scale · (h − mean(h) − x̂ mean(h x̂)).
/// @param dx   (rows, d) out
/// @param add  whether dx is added to
template <class T>
void layer_norm_backward(int rows, int d, const T* dy, const T* x, const T* gain, const T* mean,
                         const T* scale, T* dx, bool add);

/// The gradients of gain and bias, Σ dy x̂ and Σ dy over all rows in order, for columns
/// begin … end − 1.
/// @param dgain  (d) out; `dbias` too
template <class T>
void layer_norm_parameters_backward(int rows, int d, int begin, int end, const T* dy, const T* x,
                                    const T* mean, const T* scale, T* dgain, T* dbias);

}  // namespace attn

// AdamW: Adam with weight decay apart from the gradient, and with gradient clipping.
//
// Source: Loshchilov and Hutter 2019, "Decoupled Weight Decay Regularization", algorithm 2.
#pragma once

namespace attn {

struct AdamW {
  double beta1 = 0.9, beta2 = 0.95;
  double epsilon = 1e-8;
  double weight_decay = 0.1;
};

/// The numbers of one step, the same for every parameter.
struct AdamWStep {
  double learning_rate;
  double gradient_scale;            // clipping: all gradients are multiplied by it first
  double correction1, correction2;  // 1 − β₁ᵗ and 1 − β₂ᵗ at step t = 1, 2, …
};

/// m = β₁ m + (1 − β₁) g, v = β₂ v + (1 − β₂) g²,
/// p = p (1 − rate · decay) − rate · (m / correction1) / (√(v / correction2) + ε).
///
/// @param p, g, m, v  (n)
/// @param decays      whether weight decay applies
template <class T>
void adamw(int n, T* p, const T* g, T* m, T* v, const AdamW& settings, const AdamWStep& step,
           bool decays);

/// Σ x² over n numbers, in double and in order of eight lanes.
template <class T>
double sum_of_squares(int n, const T* x);

}  // namespace attn

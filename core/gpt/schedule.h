// The learning rate over a run: linear warm-up, then half a cosine down.
#pragma once

namespace attn {

struct Schedule {
  double peak = 3e-3;
  int warmup_steps = 100;
  int total_steps = 1500;
  double lowest = 0.1;  // of the peak; 1 for a constant rate after the warm-up
};

/// peak (step + 1)/warm-up steps at first; then from peak at the end of the warm-up along a cosine
/// to lowest · peak at total_steps, and the same from there on.
/// @param step  from 0
double learning_rate(const Schedule& schedule, int step);

}  // namespace attn

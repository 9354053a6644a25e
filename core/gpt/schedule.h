// The learning rate over a run: linear warm-up, then half a cosine down to a tenth.
#pragma once

namespace attn {

struct Schedule {
  double peak = 3e-3;
  int warmup_steps = 100;
  int total_steps = 1500;
};

/// peak (step + 1)/warm-up steps at first; then from peak at the end of the warm-up along a cosine
/// to 0.1 peak at total_steps, and 0.1 peak from there on.
/// @param step  from 0
double learning_rate(const Schedule& schedule, int step);

}  // namespace attn

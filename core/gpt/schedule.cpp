#include "core/gpt/schedule.h"

#include "core/math.h"

namespace attn {
namespace {

constexpr double kPi = 3.14159265358979323846;

}  // namespace

double learning_rate(const Schedule& schedule, int step) {
  if (step < schedule.warmup_steps) return schedule.peak * (step + 1) / schedule.warmup_steps;
  if (step >= schedule.total_steps) return schedule.peak * schedule.lowest;
  const double progress = static_cast<double>(step - schedule.warmup_steps) /
                          (schedule.total_steps - schedule.warmup_steps);
  const double share = 0.5 * (1 + cos(kPi * progress));
  return schedule.peak * (schedule.lowest + (1 - schedule.lowest) * share);
}

}  // namespace attn

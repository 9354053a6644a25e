#include "core/sink.h"

#include <algorithm>
#include <cmath>

#include "core/check.h"
#include "core/softmax.h"

namespace attn {

SinkTrace softmax_with_sink(std::span<const double> scores, double sink, double gate) {
  require_finite("scores", scores);
  if (!std::isfinite(sink)) refuse("sink", "a finite number", text_of(sink));
  if (!(gate >= 0 && gate <= 1)) refuse("gate", "a number, 0 to 1", text_of(gate));
  SinkTrace trace;
  trace.weights.assign(scores.begin(), scores.end());
  trace.weights.push_back(sink);
  softmax_in_place(trace.weights);
  trace.sink_weight = trace.weights.back();
  trace.weights.pop_back();
  for (const double weight : trace.weights) {
    trace.total += weight;
    trace.taken.push_back(gate * weight);
    trace.taken_total += gate * weight;
  }
  trace.slope = -trace.total * trace.sink_weight;
  return trace;
}

}  // namespace attn

#include "core/softmax.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "core/check.h"
#include "core/entropy.h"
#include "core/jacobian.h"
#include "core/math.h"

namespace attn {
namespace {

Entry entry_of(double value) {
  if (std::isnan(value)) return {0, Status::kUndefined};
  if (std::isinf(value)) return {0, Status::kOverflow};
  return {value + 0.0, Status::kOk};  // −0 becomes 0
}

double shift_of(const std::vector<double>& scores, const WeighOptions& options) {
  if (options.method == Method::kShift) return *std::min_element(scores.begin(), scores.end());
  if (options.method == Method::kSoftmax && options.stable) {
    return *std::max_element(scores.begin(), scores.end());
  }
  return 0;
}

void summarize(WeighTrace& trace, Method method) {
  std::vector<double> weights;
  trace.defined = true;
  trace.valid = trace.sum.status == Status::kOk;  // a number ÷ ∞ is 0, but not a weight
  for (const Entry& weight : trace.weights) {
    if (weight.status != Status::kOk) trace.defined = false;
    if (weight.value < 0) trace.valid = false;
    weights.push_back(weight.value);
  }
  trace.valid = trace.valid && trace.defined;
  if (!trace.valid) return;
  trace.entropy = normalized_entropy(weights, static_cast<int>(weights.size()));
  trace.max_weight = *std::max_element(weights.begin(), weights.end());
  if (method == Method::kSoftmax) trace.jacobian_norm = softmax_jacobian_norm(weights);
}

/// Every operation is rounded to the format. For float32 that is a float64 operation, rounded once
/// more: float64 has more than twice the digits, so + − × ÷ give what float32 arithmetic gives.
/// Source: Figueroa, "When is double rounding innocuous?", 1995.
WeighTrace weigh_finite(std::span<const double> input, const WeighOptions& options) {
  const bool single = options.precision == Precision::kFloat32;
  const auto rounded = [single](double x) {
    return single ? static_cast<double>(static_cast<float>(x)) : x;
  };
  const double offset = rounded(options.offset);
  const double temperature = rounded(options.temperature);
  const bool softmax = options.method == Method::kSoftmax;

  const std::size_t n = input.size();
  std::vector<double> scores(n), parts(n);
  WeighTrace trace;
  trace.scores = trace.shifted = trace.parts = trace.weights = std::vector<Entry>(n);
  for (std::size_t i = 0; i < n; ++i) {
    scores[i] = rounded(rounded(input[i]) + offset);
    trace.scores[i] = entry_of(scores[i]);
  }
  const double shift = shift_of(scores, options);
  double sum = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const double difference = rounded(scores[i] - shift);
    const double shifted = softmax ? rounded(difference / temperature) : difference;
    parts[i] = softmax ? rounded(exp(shifted)) : shifted;
    sum = rounded(sum + parts[i]);
    trace.shifted[i] = entry_of(shifted);
    trace.parts[i] = entry_of(parts[i]);
  }
  for (std::size_t i = 0; i < n; ++i) {
    // x ÷ 0 is ±∞ in IEEE arithmetic, but nothing overflowed: the weight is undefined.
    const double undefined = std::numeric_limits<double>::quiet_NaN();
    trace.weights[i] = entry_of(sum == 0 ? undefined : rounded(parts[i] / sum));
  }
  trace.shift = entry_of(shift);
  trace.sum = entry_of(sum);
  summarize(trace, options.method);
  return trace;
}

}  // namespace

// listing: softmax
void softmax_in_place(std::span<double> row) {
  double largest = -std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < row.size(); ++i) {
    if (!(row[i] < std::numeric_limits<double>::infinity())) {
      refuse(item_of("scores", i), "a number or -Infinity", text_of(row[i]));
    }
    largest = std::max(largest, row[i]);
  }
  if (std::isinf(largest)) refuse("scores", "at least one visible entry", "none");
  // Subtracting the maximum leaves the result unchanged and keeps exp in range.
  double sum = 0;
  for (double& x : row) {
    x = exp(x - largest);
    sum += x;
  }
  for (double& x : row) x /= sum;
}
// end

WeighTrace weigh(std::span<const double> scores, const WeighOptions& options) {
  require_finite("scores", scores);
  if (!std::isfinite(options.offset)) refuse("offset", "a finite number", text_of(options.offset));
  if (!(options.temperature > 0 && std::isfinite(options.temperature))) {
    refuse("temperature", "a finite number above 0", text_of(options.temperature));
  }
  return weigh_finite(scores, options);
}

}  // namespace attn

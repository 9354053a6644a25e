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

template <class Real>
Entry entry_of(Real value) {
  if (std::isnan(value)) return {0, Status::kUndefined};
  if (std::isinf(value)) return {0, Status::kOverflow};
  return {static_cast<double>(value) + 0.0, Status::kOk};  // −0 becomes 0
}

template <class Real>
std::vector<Entry> entries_of(const std::vector<Real>& values) {
  std::vector<Entry> entries;
  entries.reserve(values.size());
  for (const Real value : values) entries.push_back(entry_of(value));
  return entries;
}

template <class Real>
Real shift_of(const std::vector<Real>& scores, const WeighOptions& options) {
  if (options.method == Method::kShift) return *std::min_element(scores.begin(), scores.end());
  if (options.method == Method::kSoftmax && options.stable) {
    return *std::max_element(scores.begin(), scores.end());
  }
  return 0;
}

void summarize(WeighTrace& trace, Method method) {
  std::vector<double> weights;
  trace.defined = true;
  trace.valid = trace.sum.status == Status::kOk;  // finite ÷ ∞ is 0, yet no weight
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

/// Every operation is rounded to Real.
template <class Real>
WeighTrace weigh_in(std::span<const double> input, const WeighOptions& options) {
  const auto offset = static_cast<Real>(options.offset);
  const auto temperature = static_cast<Real>(options.temperature);
  const bool softmax = options.method == Method::kSoftmax;

  std::vector<Real> scores, shifted, parts, weights;
  for (const double score : input) scores.push_back(static_cast<Real>(score) + offset);
  const Real shift = shift_of(scores, options);
  Real sum = 0;
  for (const Real score : scores) {
    shifted.push_back(softmax ? (score - shift) / temperature : score - shift);
    parts.push_back(softmax ? exp(shifted.back()) : shifted.back());
    sum += parts.back();
  }
  for (const Real part : parts) {
    // x ÷ 0 is ±∞ in IEEE arithmetic, but nothing overflowed: such a share is undefined.
    weights.push_back(sum == 0 ? std::numeric_limits<Real>::quiet_NaN() : part / sum);
  }

  WeighTrace trace;
  trace.scores = entries_of(scores);
  trace.shift = entry_of(shift);
  trace.shifted = entries_of(shifted);
  trace.parts = entries_of(parts);
  trace.sum = entry_of(sum);
  trace.weights = entries_of(weights);
  summarize(trace, options.method);
  return trace;
}

}  // namespace

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

WeighTrace weigh(std::span<const double> scores, const WeighOptions& options) {
  require_finite("scores", scores);
  if (!std::isfinite(options.offset)) refuse("offset", "a finite number", text_of(options.offset));
  if (!(options.temperature > 0 && std::isfinite(options.temperature))) {
    refuse("temperature", "a finite number above 0", text_of(options.temperature));
  }
  return options.precision == Precision::kFloat64 ? weigh_in<double>(scores, options)
                                                  : weigh_in<float>(scores, options);
}

}  // namespace attn

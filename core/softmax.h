// Weights from one row of scores, with every intermediate step.
#pragma once

#include <array>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "core/names.h"

namespace attn {

/// Softmax of a row, written over it: e^(s − max) ÷ Σ e^(s − max), the sum taken in order.
///
/// @param row  (n) scores; −∞ hides an entry, which gets exactly 0
/// @throws std::invalid_argument if every entry is hidden, or one is NaN or +∞
void softmax_in_place(std::span<double> row);

/// The rule that turns scores into weights.
enum class Method {
  kShare,    // s ÷ Σs
  kShift,    // (s − min) ÷ Σ(s − min)
  kSoftmax,  // e^(s/T) ÷ Σ e^(s/T)
};

template <>
inline constexpr std::array<std::string_view, 3> names<Method> = {"share", "shift", "softmax"};

enum class Precision {
  kFloat64,
  kFloat32,  // every operation is rounded to float32, as a float32 machine would
};

template <>
inline constexpr std::array<std::string_view, 2> names<Precision> = {"float64", "float32"};

struct WeighOptions {
  Method method = Method::kSoftmax;
  double temperature = 1;  // T > 0, softmax only; base 2 instead of e is T = 1/ln 2
  double offset = 0;       // added to every score first
  Precision precision = Precision::kFloat64;
  bool stable = true;  // subtract the largest score before exp, softmax only
};

enum class Status {
  kOk,
  kOverflow,   // too large for the format
  kUndefined,  // a division by zero, ∞ − ∞ or ∞ ÷ ∞
};

template <>
inline constexpr std::array<std::string_view, 3> names<Status> = {"ok", "overflow", "undefined"};

/// The result of one step. `value` is 0 unless the status is kOk: never NaN or an infinity.
struct Entry {
  double value = 0;
  Status status = Status::kOk;
};

struct WeighTrace {
  std::vector<Entry> scores;            // (n) score + offset
  Entry shift;                          // the subtracted number: the minimum, the maximum, or 0
  std::vector<Entry> shifted;           // (n) scores − shift, for softmax divided by T
  std::vector<Entry> parts;             // (n) the numerators: `shifted`, or e^shifted
  Entry sum;                            // of the parts, in order
  std::vector<Entry> weights;           // (n) parts ÷ sum
  bool defined = false;                 // every weight is a number
  bool valid = false;                   // defined and not negative, so the weights sum to 1
  std::optional<double> entropy;        // of valid weights, ÷ ln n: 0 … 1
  std::optional<double> max_weight;     // of valid weights
  std::optional<double> jacobian_norm;  // of softmax: ‖∂p/∂z‖ for z = shifted
};

/// All steps from scores to weights.
///
/// @param scores  (n) finite, n ≥ 1
/// @throws std::invalid_argument for an empty row, NaN, an infinity, or a temperature not above 0
WeighTrace weigh(std::span<const double> scores, const WeighOptions& options);

}  // namespace attn

// From one row of scores to weights, with every step kept for showing.
#pragma once

#include <optional>
#include <span>
#include <vector>

namespace attn {

/// Softmax of a row, written over it: e^(s − max) ÷ Σ e^(s − max), the sum taken in order.
///
/// @param row  (n) scores; −∞ hides an entry, which gets exactly 0
/// @throws std::invalid_argument if no entry is left, or one is NaN or +∞
void softmax_in_place(std::span<double> row);

/// How scores become shares of 1.
enum class Method {
  kShare,    // s ÷ Σs
  kShift,    // (s − min) ÷ Σ(s − min)
  kSoftmax,  // e^(s/T) ÷ Σ e^(s/T)
};

enum class Precision {
  kFloat64,
  kFloat32,  // every operation is rounded to float32, as a float32 machine would
};

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

/// What one step gave. `value` is 0 unless the status is kOk: never NaN or an infinity.
struct Entry {
  double value = 0;
  Status status = Status::kOk;
};

struct WeighTrace {
  std::vector<Entry> scores;            // (n) score + offset
  Entry shift;                          // what is subtracted: the minimum, the maximum, or 0
  std::vector<Entry> shifted;           // (n) scores − shift, for softmax divided by T
  std::vector<Entry> parts;             // (n) what is shared out: `shifted`, or e^shifted
  Entry sum;                            // of the parts, in order
  std::vector<Entry> weights;           // (n) parts ÷ sum
  bool defined = false;                 // all weights are numbers
  bool valid = false;                   // and none is negative, so they sum to 1 and can average
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

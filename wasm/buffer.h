// How a call reaches attn_core and attn_sequence: arguments and results travel as doubles, in one
// buffer each way that the module owns. web/buffer.ts is the other end.
//
// Numbers stand in the order in which the interfaces `Core` and `Sequence` (web/core.ts,
// web/sequence.ts) declare them: parameters and fields one after the other, without names. Of these
// types:
//   boolean        0 or 1
//   choice         position in its list there
//   null           NaN
//   list           length, items
//   Matrix         rows, cols, list of its data
//   mask           position among none, causal, self, matrix; then the matrix, if it is one
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "core/matrix.h"

namespace attn::wasm {

/// Reads the arguments of one call one after the other. web/buffer.ts has seen to their types; what
/// takes a name throws std::invalid_argument with it when a value is out of range.
class Input {
 public:
  explicit Input(std::span<const double> values) : rest_(values) {}

  double number();
  bool flag() { return number() != 0; }

  /// A whole number in lowest … highest.
  int integer(std::string_view name, int lowest, int highest);

  /// Unsigned 32-bit.
  std::uint64_t seed();

  /// Part of the buffer: valid until the call ends.
  std::span<const double> numbers();

  /// A list of whole numbers in lowest … highest.
  std::vector<int> integers(std::string_view name, int lowest, int highest);

  Matrix matrix(std::string_view name);

 private:
  double whole(std::string_view name, double lowest, double highest);
  std::span<const double> take(double count);

  std::span<const double> rest_;
};

/// Writes the results of one call one after the other. A binding says with an operator << of its
/// own in which order the fields of a type travel.
class Output {
 public:
  explicit Output(std::vector<double>& values) : values_(values) {}

  Output& operator<<(double value);

 private:
  std::vector<double>& values_;
};

Output& operator<<(Output& out, std::optional<double> value);
Output& operator<<(Output& out, const Matrix& matrix);

template <class Item>
Output& operator<<(Output& out, const std::vector<Item>& items) {
  out << static_cast<double>(items.size());
  for (const Item& item : items) out << item;
  return out;
}

/// What a binding does: reads arguments, calls the core, writes results.
using Call = void (*)(Input&, Output&);

/// Runs a call from the input buffer to the output buffer.
///
/// @return 0, or −1 when the core threw: what it said is then kept for `refused` and
/// `errorMessage`
int guarded(Call call);

}  // namespace attn::wasm

/// Makes a call the module's function `name`.
#define ATTN_EXPORT(name, call) \
  extern "C" [[gnu::used]] int name() { return attn::wasm::guarded(call); }

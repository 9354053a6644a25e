// Between JavaScript values and the core's types. Lists and matrices are copied, so no view of the
// module's memory outlives a call and a caller has nothing to delete.
//
// What writes is noexcept and out of line: that keeps the bindings, which are mostly lists of
// fields, and with them the module small.
#pragma once

#include <emscripten/bind.h>
#include <emscripten/val.h>

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "core/matrix.h"

namespace attn::wasm {

using emscripten::val;

// Reading. Each throws std::invalid_argument with `name` when the value is something else.

double number_from(const val& value, std::string_view name);

/// A whole number in lowest … highest.
std::int64_t integer_from(const val& value, std::string_view name, std::int64_t lowest,
                          std::int64_t highest);

bool flag_from(const val& value, std::string_view name);

/// The position of a string among `choices`.
int choice_from(const val& value, std::string_view name,
                std::initializer_list<std::string_view> choices);

/// An array of numbers, or a Float64Array.
std::vector<double> numbers_from(const val& value, std::string_view name);

/// An array of whole numbers in lowest … highest.
std::vector<int> integers_from(const val& value, std::string_view name, int lowest, int highest);

/// {data, rows, cols}
Matrix matrix_from(const val& value, std::string_view name);

/// The fields of an options object, read by the functions above.
class Fields {
 public:
  explicit Fields(const val& object) : object_(object) {}

  val get(const char* name) const noexcept;
  double number(const char* name) const;
  int integer(const char* name, int lowest, int highest) const;
  bool flag(const char* name) const;
  int choice(const char* name, std::initializer_list<std::string_view> choices) const;
  std::vector<int> integers(const char* name, int lowest, int highest) const;
  std::uint64_t seed() const;  // unsigned 32-bit

 private:
  const val& object_;
};

// Writing.

val to_js(std::span<const double> numbers) noexcept;
val to_js(const Matrix& matrix) noexcept;

/// A JavaScript object, field by field.
class Object {
 public:
  Object() noexcept;

  Object& number(const char* name, double value) noexcept;
  Object& number(const char* name, std::optional<double> value) noexcept;  // absent: null
  /// A decimal string, for a number would round from 2⁵³ on.
  Object& exact(const char* name, std::int64_t value) noexcept;
  Object& flag(const char* name, bool value) noexcept;
  Object& text(const char* name, std::string_view value) noexcept;
  Object& numbers(const char* name, std::span<const double> value) noexcept;
  Object& matrix(const char* name, const Matrix& value) noexcept;
  Object& value(const char* name, const val& value) noexcept;

  operator val() const noexcept { return object_; }

 private:
  val object_;
};

/// A JavaScript array, item by item.
class Array {
 public:
  Array() noexcept;

  void push(const val& item) noexcept;

  operator val() const noexcept { return array_; }

 private:
  val array_;
  unsigned length_ = 0;
};

/// {error: {code, message}} for the exception that is being handled.
val current_error() noexcept;

/// Runs a binding; what the core throws becomes the result that web/core.ts throws again.
template <class Binding>
val guarded(Binding&& binding) {
  try {
    return binding();
  } catch (...) {
    return current_error();
  }
}

}  // namespace attn::wasm

// Between JavaScript values and the core's types. Lists and matrices are copied, so no view of the
// module's memory outlives a call and a caller has nothing to delete.
#pragma once

#include <emscripten/bind.h>
#include <emscripten/val.h>

#include <initializer_list>
#include <optional>
#include <span>
#include <stdexcept>
#include <string_view>
#include <vector>

#include "core/matrix.h"

namespace attn::wasm {

using emscripten::val;

// Reading: each throws std::invalid_argument with `name` when the value is something else.

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

/// {data, rows, cols}
Matrix matrix_from(const val& value, std::string_view name);

// Writing.

val to_js(std::span<const double> numbers);
val to_js(const Matrix& matrix);
val to_js(std::optional<double> number);  // absent: null

/// An array of to_item(item).
template <class Items, class ToItem>
val array_of(const Items& items, ToItem&& to_item) {
  val array = val::array();
  unsigned index = 0;
  for (const auto& item : items) array.set(index++, to_item(item));
  return array;
}

/// {error: {code, message}}
val error_result(const char* code, const char* message);

/// Runs a binding; what the core throws becomes an error_result.
template <class Binding>
val guarded(Binding&& binding) {
  try {
    return binding();
  } catch (const std::invalid_argument& error) {
    return error_result("invalid_argument", error.what());
  } catch (const std::exception& error) {
    return error_result("internal", error.what());
  }
}

}  // namespace attn::wasm

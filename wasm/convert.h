// Between JavaScript values and the types of attn_cache, whose calls are few and whose results are
// trees of names, texts and counts. Everything is copied: a caller has nothing to delete.
//
// What writes is noexcept and out of line: that keeps the bindings, which are mostly lists of
// fields, and with them the module small.
#pragma once

#include <emscripten/bind.h>
#include <emscripten/val.h>

#include <cstdint>
#include <string_view>

namespace attn::wasm {

using emscripten::val;

// Reading. Each throws std::invalid_argument with `name` when the value is something else.

double number_from(const val& value, std::string_view name);

/// A whole number in lowest … highest.
std::int64_t integer_from(const val& value, std::string_view name, std::int64_t lowest,
                          std::int64_t highest);

// Writing.

/// A JavaScript object, field by field.
class Object {
 public:
  Object() noexcept;

  Object& number(const char* name, double value) noexcept;
  /// A decimal string, for a number would round from 2⁵³ on.
  Object& exact(const char* name, std::int64_t value) noexcept;
  Object& text(const char* name, std::string_view value) noexcept;
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

/// Runs a binding; what the core throws becomes the result that web/cache.ts or web/train.ts throws
/// again.
template <class Binding>
val guarded(Binding&& binding) {
  try {
    return binding();
  } catch (...) {
    return current_error();
  }
}

}  // namespace attn::wasm

// Functions of the core as functions of a module.
#pragma once

#include <emscripten/bind.h>

#include <memory>
#include <span>
#include <type_traits>
#include <vector>

#include "wasm/convert.h"

namespace attn::wasm {

/// {error: {code, message}} for the exception that is being handled.
val current_error() noexcept;

/// An object that JavaScript owns from then on and frees with delete().
template <class T>
inline constexpr bool IsOwner = false;
template <class T>
inline constexpr bool IsOwner<std::unique_ptr<T>> = true;

/// The type in which Embind passes an argument.
template <class T>
struct Argument {
  using Type = std::remove_cvref_t<T>;
};
template <class T>
struct Argument<std::span<const T>> {
  using Type = std::vector<T>;
};

/// The result of `run`, or the error that it throws, as a JavaScript value.
template <class Run>
val answer(Run&& run) noexcept {
  using Result = decltype(run());
  try {
    if constexpr (std::is_void_v<Result>) {
      run();
      return val::undefined();
    } else if constexpr (IsOwner<Result>) {
      return val(run());
    } else {
      return to_js(run());
    }
  } catch (...) {
    return current_error();
  }
}

/// A function that returns {error} in place of a result when it throws.
template <auto function>
struct Call;

template <class Result, class... Parameters, Result (*function)(Parameters...)>
struct Call<function> {
  static val call(const typename Argument<Parameters>::Type&... values) {
    return answer([&] { return function(values...); });
  }
};

/// The same for a function whose first parameter is the object that it belongs to.
template <auto function>
struct MethodCall;

template <class Result, class Class, class... Parameters, Result (*function)(Class&, Parameters...)>
struct MethodCall<function> {
  static val call(Class& object, const typename Argument<Parameters>::Type&... values) {
    return answer([&] { return function(object, values...); });
  }
};

/// Binds a function under the name that JavaScript calls it by.
template <auto function>
void bind(const char* name) {
  emscripten::function(name, &Call<function>::call);
}

/// Binds a method of a class.
template <auto function, class Class>
void bind(emscripten::class_<Class>& handle, const char* name) {
  handle.function(name, &MethodCall<function>::call);
}

}  // namespace attn::wasm

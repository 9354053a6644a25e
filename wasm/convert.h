// Conversions between JavaScript and the C++ types that Embind does not know. Structs are Embind's
// value objects. Everything is copied: no view of the module's memory leaves the module.
//
//   C++                   JavaScript
//   vector                array of the items; of float and of bytes, a typed array
//   Matrix                {data: Float64Array, rows, cols}
//   optional              the value or null
//   enum with names       one of the names (core/names.h)
//   string_view           string
#pragma once

#include <emscripten/bind.h>
#include <emscripten/val.h>

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/matrix.h"
#include "core/names.h"

namespace attn::wasm {

using emscripten::val;

/// Converts a type that has a JavaScript value of its own kind.
///
/// `from` throws a JavaScript TypeError when the value does not fit; `to` makes a copy.
template <class T>
struct Js;

template <class T>
concept CrossesAsValue = requires {
  sizeof(Js<T>);
};

/// Throws a TypeError, which web/module.ts turns into an invalid_argument error.
[[noreturn]] void refuse_value(std::string_view expected, const val& value);

template <class T>
val to_js(T value) {
  if constexpr (CrossesAsValue<T>) {
    return Js<T>::to(value);
  } else {
    return val(std::move(value));
  }
}

template <class T>
T from_js(const val& value) {
  if constexpr (CrossesAsValue<T>) {
    return Js<T>::from(value);
  } else {
    return value.as<T>();
  }
}

template <>
struct Js<std::string_view> {
  // Only results contain a string_view, and Embind never reads a result back.
  static std::string_view from(const val&) { return {}; }
  static val to(std::string_view value) { return val(std::string(value)); }
};

/// The place of a text among `names`.
std::size_t choice_from_js(const val& value, std::span<const std::string_view> names);

template <Named Enum>
struct Js<Enum> {
  static Enum from(const val& value) {
    return static_cast<Enum>(choice_from_js(value, names<Enum>));
  }
  /// The names are literals, so they end in a NUL.
  static val to(Enum value) { return val(name(value).data()); }
};

template <class T>
struct Js<std::optional<T>> {
  static std::optional<T> from(const val& value) {
    return value.isNull() ? std::optional<T>() : from_js<T>(value);
  }
  static val to(const std::optional<T>& value) { return value ? to_js(*value) : val::null(); }
};

/// The length of an array or a typed array.
std::size_t length_of(const val& value);

template <class Number>
val view_of(std::span<const Number> numbers) {
  return val(emscripten::typed_memory_view(numbers.size(), numbers.data()));
}

/// A JavaScript array with a copy of a view's numbers.
val array_of(const val& view);

/// A typed array with a copy of a view's numbers.
val copy_of(const val& view);

/// Vectors of parameters and of bytes stay typed arrays.
template <class Item>
inline constexpr bool IsTyped = std::is_same_v<Item, float> || std::is_same_v<Item, std::uint8_t>;

template <class Item>
struct Js<std::vector<Item>> {
  static std::vector<Item> from(const val& value) {
    std::vector<Item> items;
    const std::size_t length = length_of(value);
    if constexpr (std::is_same_v<Item, int>) {
      for (const double number : Js<std::vector<double>>::from(value)) {
        items.push_back(static_cast<int>(number));
        if (items.back() != number) refuse_value("whole numbers", val(number));
      }
    } else if constexpr (std::is_arithmetic_v<Item>) {
      // JavaScript copies the numbers: one call, however long the row.
      items.resize(length);
      view_of(std::span<const Item>(items)).template call<void>("set", value);
    } else {
      items.reserve(length);
      for (unsigned i = 0; i < length; ++i) items.push_back(from_js<Item>(value[i]));
    }
    return items;
  }

  static val to(const std::vector<Item>& items) {
    if constexpr (IsTyped<Item>) {
      return copy_of(view_of(std::span<const Item>(items)));
    } else if constexpr (std::is_arithmetic_v<Item>) {
      return array_of(view_of(std::span<const Item>(items)));
    } else {
      val array = val::array();
      unsigned length = 0;
      for (const Item& item : items) array.set(length++, to_js(item));
      return array;
    }
  }
};

template <>
struct Js<Matrix> {
  static Matrix from(const val& value);
  static val to(const Matrix& matrix);
};

/// A 64-bit field of a value object as a JavaScript number, for counts below 2⁵³. Byte counts are
/// bigint instead.
template <auto member, class Owner>
void number_field(emscripten::value_object<Owner>& object, const char* name) {
  using Integer = std::remove_cvref_t<decltype(std::declval<Owner>().*member)>;
  double (*get)(const Owner&) = [](const Owner& owner) {
    return static_cast<double>(owner.*member);
  };
  void (*set)(Owner&, double) = [](Owner& owner, double value) {
    owner.*member = static_cast<Integer>(value);
  };
  object.field(name, get, set);
}

/// A read-only field that is computed from the struct.
template <class Owner, class Result>
void derived_field(emscripten::value_object<Owner>& object, const char* name,
                   Result (*get)(const Owner&)) {
  void (*set)(Owner&, val) = [](Owner&, val) {};
  object.field(name, get, set);
}

}  // namespace attn::wasm

namespace emscripten::internal {

template <class T>
requires attn::wasm::CrossesAsValue<std::remove_cvref_t<T>>
struct TypeID<T, void> : TypeID<val> {
};

template <class T>
requires attn::wasm::CrossesAsValue<T>
struct BindingType<T, void> {
  using WireType = BindingType<val>::WireType;
  static WireType toWireType(const T& value) {
    return BindingType<val>::toWireType(attn::wasm::Js<T>::to(value));
  }
  static T fromWireType(WireType value) {
    return attn::wasm::Js<T>::from(BindingType<val>::fromWireType(value));
  }
};

}  // namespace emscripten::internal

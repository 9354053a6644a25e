// What attn_train reads and writes besides wasm/convert.h: options objects, texts, lists of
// numbers.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>

#include "wasm/convert.h"

namespace attn::wasm {

/// @throws std::invalid_argument with `name` when the value is something else
std::string text_from(const val& value, std::string_view name);

/// The fields of an options object. Reading throws std::invalid_argument with the field's name.
class Fields {
 public:
  /// @throws std::invalid_argument with `name` for anything but an object
  Fields(const val& object, std::string_view name);

  val get(const char* name) const;
  double number(const char* name) const;
  int integer(const char* name, int lowest, int highest) const;
  bool flag(const char* name) const;
  std::string text(const char* name) const;
  /// The position of a string among `choices`.
  int choice(const char* name, std::initializer_list<std::string_view> choices) const;
  std::uint64_t seed() const;  // unsigned 32-bit

 private:
  val object_;
};

/// The position of a string among `choices`.
int choice_from(const val& value, std::string_view name,
                std::initializer_list<std::string_view> choices);

/// A JavaScript array of numbers.
template <class N>
val array_of(std::span<const N> numbers) {
  Array array;
  for (const N number : numbers) array.push(val(static_cast<double>(number)));
  return array;
}

/// A typed array of its own, copied out of the module's memory.
template <class N>
val copy_of(std::span<const N> numbers) {
  return val(emscripten::typed_memory_view(numbers.size(), numbers.data())).call<val>("slice");
}

}  // namespace attn::wasm

#include "wasm/train/fields.h"

#include "core/check.h"

namespace attn::wasm {
namespace {

std::string type_of(const val& value) {
  return value.isNull() ? "null" : value.typeOf().as<std::string>();
}

}  // namespace

std::string text_from(const val& value, std::string_view name) {
  if (!value.isString()) refuse(name, "a text", type_of(value));
  return value.as<std::string>();
}

int choice_from(const val& value, std::string_view name,
                std::initializer_list<std::string_view> choices) {
  const std::string text = value.isString() ? value.as<std::string>() : type_of(value);
  int position = 0;
  std::string expected;
  for (const std::string_view choice : choices) {
    if (value.isString() && choice == text) return position;
    expected.append(position == 0 ? "" : ", ").append(choice);
    ++position;
  }
  refuse(name, expected, text);
}

// A field of anything but an object would throw in JavaScript, where nothing catches it.
Fields::Fields(const val& object, std::string_view name) : object_(object) {
  if (type_of(object) != "object") refuse(name, "an object", type_of(object));
}

val Fields::get(const char* name) const { return object_[name]; }

double Fields::number(const char* name) const { return number_from(get(name), name); }

int Fields::integer(const char* name, int lowest, int highest) const {
  return static_cast<int>(integer_from(get(name), name, lowest, highest));
}

bool Fields::flag(const char* name) const {
  const val value = get(name);
  if (!value.isTrue() && !value.isFalse()) refuse(name, "true or false", type_of(value));
  return value.isTrue();
}

std::string Fields::text(const char* name) const { return text_from(get(name), name); }

int Fields::choice(const char* name, std::initializer_list<std::string_view> choices) const {
  return choice_from(get(name), name, choices);
}

std::uint64_t Fields::seed() const {
  return static_cast<std::uint64_t>(integer_from(get("seed"), "seed", 0, 0xffffffff));
}

}  // namespace attn::wasm

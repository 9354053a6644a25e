#include "wasm/convert.h"

#include <cmath>
#include <stdexcept>
#include <string>

#include "core/check.h"

namespace attn::wasm {
namespace {

std::string type_of(const val& value) { return value.typeOf().as<std::string>(); }

}  // namespace

double number_from(const val& value, std::string_view name) {
  if (!value.isNumber()) refuse(name, "a number", type_of(value));
  return value.as<double>();
}

std::int64_t integer_from(const val& value, std::string_view name, std::int64_t lowest,
                          std::int64_t highest) {
  const double number = number_from(value, name);
  if (!(number >= static_cast<double>(lowest) && number <= static_cast<double>(highest)) ||
      number != std::floor(number)) {
    refuse(name, "a whole number, " + std::to_string(lowest) + " to " + std::to_string(highest),
           text_of(number));
  }
  return static_cast<std::int64_t>(number);
}

Object::Object() noexcept : object_(val::object()) {}

Object& Object::number(const char* name, double value) noexcept {
  return this->value(name, val(value));
}

Object& Object::exact(const char* name, std::int64_t value) noexcept {
  return this->text(name, std::to_string(value));
}

Object& Object::text(const char* name, std::string_view value) noexcept {
  return this->value(name, val(std::string(value)));
}

Object& Object::value(const char* name, const val& value) noexcept {
  object_.set(name, value);
  return *this;
}

Array::Array() noexcept : array_(val::array()) {}

void Array::push(const val& item) noexcept { array_.set(length_++, item); }

val current_error() noexcept {
  const char* code = "invalid_argument";
  std::string message;
  try {
    throw;
  } catch (const std::invalid_argument& exception) {
    message = exception.what();
  } catch (const std::exception& exception) {
    code = "internal";
    message = exception.what();
  }
  return Object().value("error", Object().text("code", code).text("message", message));
}

}  // namespace attn::wasm

#include "wasm/convert.h"

#include <cmath>
#include <stdexcept>
#include <string>

#include "core/check.h"

namespace attn::wasm {
namespace {

std::string type_of(const val& value) { return value.typeOf().as<std::string>(); }

val view_of(std::span<const double> numbers) {
  return val(emscripten::typed_memory_view(numbers.size(), numbers.data()));
}

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

bool flag_from(const val& value, std::string_view name) {
  if (!value.isTrue() && !value.isFalse()) refuse(name, "true or false", type_of(value));
  return value.isTrue();
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

std::vector<double> numbers_from(const val& value, std::string_view name) {
  if (!value.isArray() && !value.instanceof (val::global("Float64Array"))) {
    refuse(name, "an array of numbers", type_of(value));
  }
  return emscripten::convertJSArrayToNumberVector<double>(value);
}

std::vector<int> integers_from(const val& value, std::string_view name, int lowest, int highest) {
  std::vector<int> integers;
  for (const double number : numbers_from(value, name)) {
    integers.push_back(static_cast<int>(
        integer_from(val(number), item_of(name, integers.size()), lowest, highest)));
  }
  return integers;
}

Matrix matrix_from(const val& value, std::string_view name) {
  if (type_of(value) != "object" || value.isNull()) {
    refuse(name, "{data, rows, cols}", type_of(value));
  }
  constexpr std::int64_t kMost = 1 << 20;
  const auto part = [name](const char* key) { return std::string(name).append(".").append(key); };
  const auto rows = integer_from(value["rows"], part("rows"), 0, kMost);
  const auto cols = integer_from(value["cols"], part("cols"), 0, kMost);
  const std::vector<double> data = numbers_from(value["data"], part("data"));
  if (static_cast<std::int64_t>(data.size()) != rows * cols) {
    refuse(part("data"), std::to_string(rows * cols) + " numbers", std::to_string(data.size()));
  }
  return Eigen::Map<const Matrix>(data.data(), static_cast<Eigen::Index>(rows),
                                  static_cast<Eigen::Index>(cols));
}

val Fields::get(const char* name) const noexcept { return object_[name]; }

double Fields::number(const char* name) const { return number_from(get(name), name); }

int Fields::integer(const char* name, int lowest, int highest) const {
  return static_cast<int>(integer_from(get(name), name, lowest, highest));
}

bool Fields::flag(const char* name) const { return flag_from(get(name), name); }

int Fields::choice(const char* name, std::initializer_list<std::string_view> choices) const {
  return choice_from(get(name), name, choices);
}

std::vector<int> Fields::integers(const char* name, int lowest, int highest) const {
  return integers_from(get(name), name, lowest, highest);
}

std::uint64_t Fields::seed() const {
  return static_cast<std::uint64_t>(integer_from(get("seed"), "seed", 0, 0xffffffff));
}

val to_js(std::span<const double> numbers) noexcept {
  static const val array = val::global("Array");
  return array.call<val>("from", view_of(numbers));
}

val to_js(const Matrix& matrix) noexcept {
  const std::span<const double> data(matrix.data(), static_cast<std::size_t>(matrix.size()));
  return Object()
      .value("data", view_of(data).call<val>("slice"))
      .number("rows", static_cast<double>(matrix.rows()))
      .number("cols", static_cast<double>(matrix.cols()));
}

Object::Object() noexcept : object_(val::object()) {}

Object& Object::number(const char* name, double value) noexcept {
  return this->value(name, val(value));
}

Object& Object::number(const char* name, std::optional<double> value) noexcept {
  return this->value(name, value ? val(*value) : val::null());
}

Object& Object::exact(const char* name, std::int64_t value) noexcept {
  return this->text(name, std::to_string(value));
}

Object& Object::flag(const char* name, bool value) noexcept {
  return this->value(name, val(value));
}

Object& Object::text(const char* name, std::string_view value) noexcept {
  return this->value(name, val(std::string(value)));
}

Object& Object::numbers(const char* name, std::span<const double> value) noexcept {
  return this->value(name, to_js(value));
}

Object& Object::matrix(const char* name, const Matrix& value) noexcept {
  return this->value(name, to_js(value));
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

#include "wasm/convert.h"

#include <cmath>
#include <string>

#include "core/check.h"

namespace attn::wasm {
namespace {

std::string type_of(const val& value) { return value.typeOf().as<std::string>(); }

std::string part(std::string_view name, std::string_view key) {
  return std::string(name).append(".").append(key);
}

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
    refuse(name, "a whole number in " + std::to_string(lowest) + " to " + std::to_string(highest),
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

Matrix matrix_from(const val& value, std::string_view name) {
  if (type_of(value) != "object" || value.isNull()) {
    refuse(name, "{data, rows, cols}", type_of(value));
  }
  constexpr std::int64_t kMost = 1 << 20;
  const auto rows = integer_from(value["rows"], part(name, "rows"), 0, kMost);
  const auto cols = integer_from(value["cols"], part(name, "cols"), 0, kMost);
  const std::vector<double> data = numbers_from(value["data"], part(name, "data"));
  if (static_cast<std::int64_t>(data.size()) != rows * cols) {
    refuse(part(name, "data"), std::to_string(rows * cols) + " numbers",
           std::to_string(data.size()));
  }
  return Eigen::Map<const Matrix>(data.data(), static_cast<Eigen::Index>(rows),
                                  static_cast<Eigen::Index>(cols));
}

val to_js(std::span<const double> numbers) {
  return val::global("Array").call<val>("from", view_of(numbers));
}

val to_js(const Matrix& matrix) {
  val object = val::object();
  const std::span<const double> data(matrix.data(), static_cast<std::size_t>(matrix.size()));
  object.set("data", view_of(data).call<val>("slice"));
  object.set("rows", static_cast<int>(matrix.rows()));
  object.set("cols", static_cast<int>(matrix.cols()));
  return object;
}

val to_js(std::optional<double> number) { return number ? val(*number) : val::null(); }

val error_result(const char* code, const char* message) {
  val details = val::object();
  details.set("code", std::string(code));
  details.set("message", std::string(message));
  val result = val::object();
  result.set("error", details);
  return result;
}

}  // namespace attn::wasm

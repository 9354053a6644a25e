#include "wasm/convert.h"

namespace attn::wasm {
namespace {

// 1 GiB of doubles, half of the largest memory that the module can have.
constexpr double kMostItems = 1 << 27;

bool is_object(const val& value) { return !value.isNull() && value.typeOf() == val("object"); }

}  // namespace

void refuse_value(std::string_view expected, const val& value) {
  std::string message("expected ");
  message.append(expected).append(", got ");
  message.append(val::global("String").call<std::string>("call", val::null(), value));
  val::global("TypeError").new_(message).throw_();
}

std::size_t choice_from_js(const val& value, std::span<const std::string_view> names) {
  std::string expected;
  const std::string text = value.isString() ? value.as<std::string>() : std::string();
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (text == names[i]) return i;
    expected.append(i == 0 ? "" : ", ").append(names[i]);
  }
  refuse_value(expected, value);
}

std::size_t length_of(const val& value) {
  if (!is_object(value)) refuse_value("an array", value);
  const val length = value["length"];
  if (!length.isNumber()) refuse_value("an array", value);
  if (length.as<double>() > kMostItems) refuse_value("at most 134217728 items", length);
  return static_cast<std::size_t>(length.as<double>());
}

val array_of(const val& view) { return val::global("Array").call<val>("from", view); }

val copy_of(const val& view) { return view.call<val>("slice"); }

Matrix Js<Matrix>::from(const val& value) {
  if (!is_object(value)) refuse_value("{data, rows, cols}", value);
  const val data = value["data"];
  const std::size_t length = length_of(data);
  const auto rows = value["rows"].as<double>(), cols = value["cols"].as<double>();
  if (!(rows >= 0) || rows * cols != static_cast<double>(length)) {
    refuse_value("rows * cols numbers", data["length"]);
  }
  Matrix matrix(static_cast<Eigen::Index>(rows), static_cast<Eigen::Index>(cols));
  view_of(std::span<const double>(matrix.data(), length)).call<void>("set", data);
  return matrix;
}

val Js<Matrix>::to(const Matrix& matrix) {
  val object = val::object();
  const auto size = static_cast<std::size_t>(matrix.size());
  object.set("data", copy_of(view_of(std::span<const double>(matrix.data(), size))));
  object.set("rows", static_cast<int>(matrix.rows()));
  object.set("cols", static_cast<int>(matrix.cols()));
  return object;
}

}  // namespace attn::wasm

#include "core/check.h"

#include <cmath>
#include <stdexcept>

namespace attn {
namespace {

// Scales by ten until 1 ≤ value < 10; plain steps are exact enough for six digits.
int decimal_exponent(double& value) {
  int exponent = 0;
  while (value >= 10) {
    value /= 10;
    ++exponent;
  }
  while (value < 1) {
    value *= 10;
    --exponent;
  }
  return exponent;
}

}  // namespace

void refuse(std::string_view argument, std::string_view expected, std::string_view got) {
  std::string message(argument);
  message.append(": expected ").append(expected).append(", got ").append(got);
  throw std::invalid_argument(message);
}

void require_finite(std::string_view argument, std::span<const double> values) {
  if (values.empty()) refuse(argument, "at least one number", "none");
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (!std::isfinite(values[i])) {
      refuse(item_of(argument, i), "a finite number", text_of(values[i]));
    }
  }
}

void require_finite(std::string_view argument, const Matrix& matrix) {
  if (matrix.size() == 0) refuse(argument, "at least one row and column", shape_of(matrix));
  for (Eigen::Index r = 0; r < matrix.rows(); ++r) {
    for (Eigen::Index c = 0; c < matrix.cols(); ++c) {
      if (!std::isfinite(matrix(r, c))) {
        refuse(std::string(argument) + shape_of(r, c), "a finite number", text_of(matrix(r, c)));
      }
    }
  }
}

// By hand, since the library's formatting of doubles would double the size of the WASM module.
std::string text_of(double value) {
  if (std::isnan(value)) return "NaN";
  if (value < 0) return std::string("-").append(text_of(-value));
  if (std::isinf(value)) return "Infinity";
  if (value < 0x1p53 && value == std::floor(value)) {
    return std::to_string(static_cast<long long>(value));
  }
  double mantissa = value;
  int exponent = decimal_exponent(mantissa);
  long digits = static_cast<long>(mantissa * 100000 + 0.5);
  if (digits == 1000000) {
    digits = 100000;
    ++exponent;
  }
  std::string text = std::to_string(digits);
  const bool plain = exponent >= -4 && exponent < 15;
  std::size_t point = 1;  // digits before the decimal point
  if (plain && exponent < 0) text.insert(0, static_cast<std::size_t>(-exponent), '0');
  if (plain && exponent > 0) point = static_cast<std::size_t>(exponent) + 1;
  if (text.size() < point) text.append(point - text.size(), '0');
  std::size_t end = text.size();
  while (end > point && text[end - 1] == '0') --end;
  std::string out = text.substr(0, point);
  if (end > point) out.append(".").append(text, point, end - point);
  if (!plain) out.append("e").append(std::to_string(exponent));
  return out;
}

std::string item_of(std::string_view name, std::size_t index) {
  return std::string(name).append("[").append(std::to_string(index)).append("]");
}

std::string shape_of(Eigen::Index rows, Eigen::Index cols) {
  return std::string("(")
      .append(std::to_string(rows))
      .append(", ")
      .append(std::to_string(cols))
      .append(")");
}

std::string shape_of(const Matrix& matrix) { return shape_of(matrix.rows(), matrix.cols()); }

}  // namespace attn

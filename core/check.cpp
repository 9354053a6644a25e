#include "core/check.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
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

// Decimal digits of a whole number below 2^64.
std::string digits_of(double value) {
  char digits[20];
  char* const end = digits + sizeof digits;
  char* first = end;
  auto rest = static_cast<std::uint64_t>(value);
  do {
    *--first = static_cast<char>('0' + rest % 10);
    rest /= 10;
  } while (rest > 0);
  return std::string(first, static_cast<std::size_t>(end - first));
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

// Written by hand: the library's formatting of doubles would double the size of the WASM module.
std::string text_of(double value) {
  if (std::isnan(value)) return "NaN";
  if (value < 0) return std::string("-").append(text_of(-value));
  if (std::isinf(value)) return "Infinity";
  if (value < 0x1p53 && value == std::floor(value)) {
    return digits_of(value);
  }
  double mantissa = value;
  int exponent = decimal_exponent(mantissa);
  double six_digits = std::floor(mantissa * 100000 + 0.5);
  if (six_digits == 1000000) {
    six_digits = 100000;
    ++exponent;
  }
  const std::string digits = digits_of(six_digits);
  int last = 5;
  while (digits[static_cast<std::size_t>(last)] == '0') --last;
  const bool plain = exponent >= -4 && exponent < 15;
  const int first = plain ? exponent : 0;  // decimal place of the first digit, 0 for units
  std::string text;
  for (int place = std::max(first, 0); place >= std::min(first - last, 0); --place) {
    const int i = first - place;
    if (place == -1) text.append(".");
    text.append(1, i < 0 || i > last ? '0' : digits[static_cast<std::size_t>(i)]);
  }
  if (!plain) text.append("e").append(text_of(exponent));
  return text;
}

std::string item_of(std::string_view name, std::size_t index) {
  return std::string(name).append("[").append(text_of(index)).append("]");
}

std::string shape_of(Eigen::Index rows, Eigen::Index cols) {
  return std::string("(").append(text_of(rows)).append(", ").append(text_of(cols)).append(")");
}

std::string shape_of(const Matrix& matrix) { return shape_of(matrix.rows(), matrix.cols()); }

}  // namespace attn

// Checks of arguments: a bad one throws std::invalid_argument with one sentence.
#pragma once

#include <concepts>
#include <span>
#include <string>
#include <string_view>

#include "core/matrix.h"

namespace attn {

/// Throws std::invalid_argument("<argument>: expected <expected>, got <got>").
[[noreturn]] void refuse(std::string_view argument, std::string_view expected,
                         std::string_view got);

/// Refuses an empty list, NaN and the infinities.
void require_finite(std::string_view argument, std::span<const double> values);

/// Refuses an empty matrix, NaN and the infinities.
void require_finite(std::string_view argument, const Matrix& matrix);

/// Integers below 2^53 in full, else at most six significant digits: "0.25", "-1.5e300", "NaN".
std::string text_of(double value);

/// The same of a count or an index.
template <std::integral Integer>
std::string text_of(Integer value) {
  return text_of(static_cast<double>(value));
}

/// "name[index]"
std::string item_of(std::string_view name, std::size_t index);

/// "(rows, cols)"
std::string shape_of(Eigen::Index rows, Eigen::Index cols);
std::string shape_of(const Matrix& matrix);

}  // namespace attn

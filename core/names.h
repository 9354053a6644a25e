// Names of enums. An enum's own header lists them once, for JSON, JavaScript and the command line.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

namespace attn {

/// The names of an enum's values, in their order.
template <class Enum>
inline constexpr std::nullptr_t names = nullptr;

template <class Enum>
concept Named = requires {
  names<Enum>.size();
};

template <Named Enum>
constexpr std::string_view name(Enum value) {
  return names<Enum>[static_cast<std::size_t>(value)];
}

/// The value of that name, or nothing.
template <Named Enum>
constexpr std::optional<Enum> named(std::string_view name) {
  for (std::size_t i = 0; i < names<Enum>.size(); ++i) {
    if (names<Enum>[i] == name) return static_cast<Enum>(i);
  }
  return std::nullopt;
}

}  // namespace attn

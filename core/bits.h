// The bit pattern of a number.
#pragma once

#include <cstring>
#include <type_traits>

namespace attn {

/// std::bit_cast, which Emscripten 3.1.6 does not have yet.
template <class To, class From>
To bit_cast(const From& from) {
  static_assert(sizeof(To) == sizeof(From) && std::is_trivially_copyable_v<From>);
  To to;
  std::memcpy(&to, &from, sizeof to);
  return to;
}

}  // namespace attn

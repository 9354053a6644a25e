// Writing numbers to bytes and reading them back, each in its own width. All supported machines are
// little-endian.
#pragma once

#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>
#include <vector>

#include "core/check.h"

namespace attn {

class ByteWriter {
 public:
  template <class N>
  void put(const N& value) {
    put_all(std::span<const N>(&value, 1));
  }
  template <class N>
  void put_all(std::span<const N> values) {
    const auto* bytes = reinterpret_cast<const std::uint8_t*>(values.data());
    out.insert(out.end(), bytes, bytes + values.size_bytes());
  }
  std::vector<std::uint8_t> out;
};

class ByteReader {
 public:
  /// @param argument, expected  words of the error for too few bytes
  ByteReader(std::span<const std::uint8_t> bytes, std::string_view argument,
             std::string_view expected)
      : rest_(bytes), argument_(argument), expected_(expected) {}

  /// @throws std::invalid_argument if too few bytes are left
  template <class N>
  N get() {
    N value;
    get_all(std::span<N>(&value, 1));
    return value;
  }
  template <class N>
  void get_all(std::span<N> values) {
    if (rest_.size() < values.size_bytes()) refuse(argument_, expected_, "too few bytes");
    std::memcpy(values.data(), rest_.data(), values.size_bytes());
    rest_ = rest_.subspan(values.size_bytes());
  }
  std::size_t left() const { return rest_.size(); }

 private:
  std::span<const std::uint8_t> rest_;
  std::string_view argument_, expected_;
};

}  // namespace attn

// Reading a file whole, for the native programs.
#pragma once

#include <cstddef>
#include <string>

namespace attn {

/// At most the first `limit` bytes of a file.
///
/// @throws Refusal for a file that cannot be read
std::string read_text_file(const std::string& path, std::size_t limit);

}  // namespace attn

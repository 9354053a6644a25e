// The sizes of a model from the header of its GGUF file, under the keys of a config.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

#include "core/config_value.h"

namespace attn {

/// So much of a file holds the sizes: they come before the vocabulary.
constexpr std::size_t kLargestGgufHeader = std::size_t{1} << 20;

/// A config with the sizes that the header states; nothing where the bytes are no GGUF file.
///
/// A truncated header is read as far as it goes. The pattern of windows that llama.cpp derives from
/// the architecture's name is filled in.
///
/// Source: ggml/docs/gguf.md, versions 2 and 3, little-endian.
std::optional<ConfigValue> gguf_config(std::string_view bytes);

}  // namespace attn

// The number format of a model's KV cache, which is not that of its quantised weights.
#pragma once

#include <array>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/config_fields.h"
#include "core/value_format.h"

namespace attn {

/// Keys of descriptions of quantisation, which are read for the format of the cache only.
inline constexpr std::array<std::string_view, 3> kQuantisationKeys = {
    "quantization_config", "compression_config", "quantization"};

struct CacheFormat {
  std::string_view model_dtype;  // "bfloat16": what keys and values are computed in
  int model_bits = 16;
  std::string path;              // the key it stood under; empty where it was assumed
  std::string_view cache_dtype;  // where the file keeps the cache in another format; else empty
  std::optional<ValueFormat> stored;  // that format
  std::string cache_path;

  ValueFormat of_cache() const { return stored.value_or(ValueFormat{.bits = model_bits}); }
};

/// Bits of a floating-point format under one of its names, "torch.bfloat16" or "fp16".
std::optional<int> float_bits(std::string_view dtype);

/// @param levels  from the file's top down to the language model; engines take the outermost
///                statement of the format of computation
CacheFormat read_cache_format(std::span<ConfigFields> levels, std::vector<Assumption>& assumed);

}  // namespace attn

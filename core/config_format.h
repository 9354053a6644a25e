// The number format of a model's KV cache, which is not that of its quantised weights.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/config_fields.h"
#include "core/config_reader.h"

namespace attn {

struct CacheFormat {
  std::string model_dtype;  // "bfloat16": what keys and values are computed in
  int model_bits = 16;
  std::string path;  // the key it stood under; empty where it was assumed
  /// Set where the file says that the cache itself is kept in another format.
  std::optional<Field<int>> cache_bits;
};

/// Bits of a floating-point format under one of its names, "torch.bfloat16" or "fp16".
std::optional<int> float_bits(std::string_view dtype);

/// @param levels  from the file's top down to the language model; the innermost statement counts
CacheFormat read_cache_format(std::span<ConfigFields> levels, std::vector<Assumption>& assumed);

}  // namespace attn

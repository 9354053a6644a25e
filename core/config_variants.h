// The same cache as other engines keep it.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/config_entries.h"
#include "core/config_format.h"
#include "core/config_reader.h"

namespace attn {

/// Facts that the variants of a layout need beside the layout.
struct VariantFacts {
  bool keys_are_values = false;        // in the full layers
  std::optional<LayerEntry> expanded;  // a latent layer as keys and values of every head
  std::int64_t other_state_bytes = 0;  // of a layer, with the state in the other format; 0: none
  bool other_state_is_float32 = false;
  std::int64_t whole_kernel_bytes = 0;  // of a convolution layer, the newest input included
  std::int64_t prediction_layers = 0;   // beside the counted layers
};

/// Each way of keeping the cache that changes the layout or the number format.
std::vector<CacheVariant> cache_variants(const CacheLayout& layout, const VariantFacts& facts,
                                         const CacheFormat& format);

}  // namespace attn

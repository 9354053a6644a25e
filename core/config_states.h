// Recurrent states and convolution tails of layers without a growing cache, in bytes.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "core/config_fields.h"
#include "core/config_format.h"

namespace attn {

/// The memory of one such layer and sequence.
struct LayerState {
  std::int64_t values = 0;           // numbers in the recurrent state; 0: none
  int bits = 32;                     // of each
  bool other_format_likely = false;  // the file leaves the format open, and engines differ
  KeyPath key;                       // the keys that its size comes from
  std::int64_t channels = 0;         // inputs of the short convolution; 0: none
  Count kernel;                      // its length: kernel − 1 earlier inputs are kept
  std::int64_t stated_bytes = 0;     // where the file gives the state in bytes
};

/// Exact product of three non-negative factors, the bytes or values of one layer; refuses `key`
/// beyond 2⁵³ − 1, so that a layout stays within what a page counts exactly.
std::int64_t exact_product(const KeyPath& key, std::int64_t a, std::int64_t b, std::int64_t c = 1);

/// Linear attention with the delta rule: a d_k × d_v matrix for each value head.
LayerState read_linear_state(ConfigFields& fields, std::int64_t linear_layers,
                             std::vector<Assumption>& assumed);

/// Kimi's delta rule: a square matrix for each head, and a convolution over queries, keys and
/// values; `heads_name` is the key of the number of heads.
LayerState read_delta_state(ConfigFields& fields, std::string_view heads_name);

/// Lightning attention: a square matrix for each query head.
LayerState read_lightning_state(ConfigFields& fields, const Count& heads, const Count& width,
                                const CacheFormat& format, std::vector<Assumption>& assumed);

/// A gated linear recurrence (Griffin): one number a channel in FP32, and a short convolution.
LayerState read_recurrent_state(ConfigFields& fields);

/// Mamba (d_inner × d_state) and Mamba-2 (heads × head width × d_state).
LayerState read_mamba_state(ConfigFields& fields, const CacheFormat& format,
                            std::vector<Assumption>& assumed);

/// A gated short convolution, which keeps its last inputs only.
LayerState read_convolution_state(ConfigFields& fields);

}  // namespace attn

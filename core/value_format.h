// Number formats of stored keys and values, those with scales between the values included.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace attn {

struct ValueFormat {
  int bits = 16;        // of a value
  int scale_bits = 0;   // of a scale; 0: none
  int scale_block = 0;  // consecutive values that share a scale; 0: all values of a head

  bool operator==(const ValueFormat&) const = default;
};

/// The format of a name: fp32, bf16, fp16, fp8, int8, fp4, int4; with scales fp8_per_head, nvfp4,
/// mxfp4 and llama.cpp's q8_0, q5_1, q5_0, q4_1, q4_0, iq4_nl.
///
/// Source: ggml-common.h (blocks of 32 values), OCP Microscaling Formats 1.0 (mxfp4: 32 values and
/// a byte), NVIDIA (nvfp4: 16 values and an FP8 scale).
std::optional<ValueFormat> value_format(std::string_view name);

/// All names, separated by ", ".
std::string value_format_names();

}  // namespace attn

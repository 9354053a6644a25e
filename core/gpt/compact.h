// A trained model in a compact binary form, which pages fetch.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/gpt/gpt.h"
#include "core/gpt/tokenizer.h"

namespace attn {

/// A model for inference. The state of the optimiser, needed for further training, is not part of
/// it.
struct TrainedModel {
  Tokenizer tokenizer;
  Gpt<float> gpt;
};

/// Sizes, vocabulary and parameters. A matrix takes one byte per number and one float per row: x
/// becomes q = x / scale to the nearest whole number, scale being the largest |x| of the row ÷ 127.
/// Vectors (LayerNorm, biases) stay floats.
///
/// @param parameters  as in ParameterLayout
/// @throws std::invalid_argument for another number of parameters, one that is not finite or
///         1e38 and above, or a tokenizer of another size
std::vector<std::uint8_t> pack(const GptConfig& config, const Tokenizer& tokenizer,
                               std::span<const float> parameters);

/// The model that was packed; its matrices are scale · q.
/// @throws std::invalid_argument for anything else
TrainedModel unpack(std::span<const std::uint8_t> bytes);

}  // namespace attn

// The constant state of models in which no layer has attention: Mamba, Mamba-2, RWKV.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/config_fields.h"

namespace attn {

struct ConstantState {
  std::int64_t bytes = 0;  // of one sequence, all layers together
  std::string shape;       // the product that gives them, as in "24 × (32 × 64 × 64 × 4 + …)"
};

/// The state that one sequence keeps, or nothing where the file leaves a size open. Defaults of
/// the published class are not taken, since a refusal has no place to name them.
///
/// Sources, each the state that the model's own code allocates:
/// - Mamba, Mamba-2: transformers/models/mamba/modeling_mamba.py (MambaCache) and
///   mamba2/modeling_mamba2.py; the convolution is counted without the newest input.
/// - RWKV-4: transformers/models/rwkv/modeling_rwkv.py, `RwkvModel.forward`: five vectors of
///   hidden_size a layer, two in the model's format and three in FP32.
/// - RWKV-5 and -6: `Rwkv5Model.forward` and `Rwkv6Model.forward` of the files that the models
///   ship: a square of head_size for each head in FP32, and two vectors in the model's format.
/// - RWKV-7: flash-linear-attention, fla/layers/rwkv7.py and fla/models/rwkv7: the same with
///   head_dim.
///
/// @param class_name  the published class of the language model
std::optional<ConstantState> constant_state(std::vector<ConfigFields>& levels,
                                            std::string_view class_name);

}  // namespace attn

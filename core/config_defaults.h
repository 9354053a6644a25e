// Defaults of published configuration classes, for sizes that a file of the class may leave out.
#pragma once

#include <string>
#include <string_view>

#include "core/config_value.h"

namespace attn {

/// The `model_type` of the language model inside a model of several parts, for files whose inner
/// config does not repeat it; empty where it is not known.
std::string_view inner_class(std::string_view outer_class);

/// The defaults of a class, as an object with the class's own keys; empty for an unknown class.
///
/// `sliding_window_pattern` stands for the class's rule also where the class has no such key: all
/// layers but the last of each group of that many have the window.
///
/// Source: `transformers/models/*/configuration_*.py`; tests/README.md lists the file and the
/// commit that each class was compared with. Whisper's sizes are left out, since they differ
/// between versions.
ConfigValue class_defaults(std::string_view model_type);

/// The class encodes its whole input in one pass (BERT, CLIP, ViT …) or generates by passes over
/// the whole text (diffusion), and keeps no keys and values.
bool is_encoder_class(std::string_view model_type);

/// The class puts its window, if it has one, into every layer.
bool windows_every_layer(std::string_view model_type);

/// Each layer that the class counts has two attentions, with a cache each.
/// Source: `transformers/models/longcat_flash/modeling_longcat_flash.py`.
bool attends_twice(std::string_view model_type);

/// The class has a recurrent state in place of attention in every layer (Mamba, RWKV).
bool is_state_class(std::string_view model_type);

}  // namespace attn

// The role of each layer (full attention, a window, a recurrent state …), from the many ways in
// which configs write a pattern of layers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "core/config_fields.h"

namespace attn {

enum class LayerRole {
  full,
  window,
  chunk,
  linear,       // linear attention with the delta rule
  delta,        // Kimi's delta rule: a square state for each head
  lightning,    // linear attention with a square state for each head
  mamba,        // Mamba or Mamba-2
  recurrent,    // a gated linear recurrence
  convolution,  // a short convolution alone
  parallel,     // attention and Mamba-2 in one layer
  cross,        // attention to another input only
  none,
};
constexpr std::size_t kLayerRoles = 12;

struct LayerRoles {
  std::vector<LayerRole> of_layer;  // from the input on
  bool ordered = true;              // false: the file gives counts, of_layer is in no order
  KeyPath key;                      // the key that decides; none where every layer is full
  KeyPath other_key;                // the key that counts the other layers, where counts are given
  Count window;                     // tokens kept; set where a layer is a window
  Count chunk;                      // tokens of a chunk; set where a layer is chunked
  KeyPath open_window;              // a window of which nothing says which layers have it
  bool doubled = false;  // attention over the layer's input beside the embeddings (Zamba)

  bool has(LayerRole role) const;
};

/// The number of layers, or of attentions where a layer of the class has two; from a list that
/// names the kind of every layer where the file states no number. Refused beyond `most`.
Count count_layers(ConfigFields& fields, std::int64_t most, std::vector<Assumption>& assumed);

/// Reads every key that describes the pattern; those that are present must agree.
///
/// @param max_context  tokens the model is made for, 0 if unknown: a window that is no shorter
///                     never closes and is read as full attention
/// @param assumed      gets the values that the file leaves open
LayerRoles read_layer_roles(ConfigFields& fields, std::int64_t n_layers, std::int64_t max_context,
                            std::vector<Assumption>& assumed);

}  // namespace attn

// The fields of a KV cache's layout. Every number of a layout is below 2^53.
#pragma once

#include "core/kv_cache.h"
#include "wasm/convert.h"

namespace attn::wasm {

/// Fields that a kind of layer does not use may be left out.
template <>
inline constexpr auto fields<LayerKind> = std::tuple(
    field("kind", &LayerKind::kind), sparse_field("layers", &LayerKind::layers),
    sparse_field("heads", &LayerKind::heads), sparse_field("kWidth", &LayerKind::k_width),
    sparse_field("vWidth", &LayerKind::v_width), sparse_field("window", &LayerKind::window),
    sparse_field("stateBytes", &LayerKind::state_bytes),
    sparse_field("ownBits", &LayerKind::own_bits));

}  // namespace attn::wasm

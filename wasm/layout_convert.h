// Layouts of KV caches as they cross the boundary.
#pragma once

#include <string_view>

#include "core/kv_cache.h"
#include "wasm/convert.h"

namespace attn::wasm {

/// An array of layer kinds; what a kind has no use for may be left out.
CacheLayout layout_from(const val& value);

/// Of a layout that was read from a config: every number is below 2⁵³.
val layout_to_js(const CacheLayout& layout) noexcept;

/// The JavaScript name of a LayerKind's member: "k_width" is "kWidth".
std::string_view field_in_js(std::string_view member) noexcept;

}  // namespace attn::wasm

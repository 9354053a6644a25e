#include "wasm/layout_convert.h"

#include <array>
#include <string>

#include "core/check.h"

namespace attn::wasm {
namespace {

// 2⁵³ − 1, as far as a JavaScript number counts.
constexpr std::int64_t kLargest = 9007199254740991;

struct Member {
  std::string_view name;
  const char* in_js;
  std::int64_t LayerKind::*value;
};

constexpr std::array kMembers = {
    Member{"layers", "layers", &LayerKind::layers},
    Member{"heads", "heads", &LayerKind::heads},
    Member{"k_width", "kWidth", &LayerKind::k_width},
    Member{"v_width", "vWidth", &LayerKind::v_width},
    Member{"window", "window", &LayerKind::window},
    Member{"state_bytes", "stateBytes", &LayerKind::state_bytes},
    Member{"own_bits", "ownBits", &LayerKind::own_bits},
};

LayerKind layer_kind_from(const val& value, const std::string& at) {
  LayerKind result;
  const val kind = value["kind"];
  const std::string word = kind.isString() ? kind.as<std::string>() : "no text";
  const auto known = cache_kind(word);
  if (!known) refuse(at + "kind", "the name of a kind of layer", word);
  result.kind = *known;
  for (const Member& member : kMembers) {
    const val field = value[member.in_js];
    if (field.isUndefined()) continue;
    result.*member.value = integer_from(field, at + member.in_js, 0, kLargest);
  }
  return result;
}

val layer_kind_to_js(const LayerKind& kind) noexcept {
  Object result;
  result.text("kind", name(kind.kind));
  for (const Member& member : kMembers) {
    const std::int64_t value = kind.*member.value;
    if (value != 0) result.number(member.in_js, static_cast<double>(value));
  }
  return result;
}

}  // namespace

CacheLayout layout_from(const val& value) {
  if (!value.isArray()) refuse("layout", "an array", value.typeOf().as<std::string>());
  CacheLayout layout;
  const auto length = value["length"].as<unsigned>();
  for (unsigned i = 0; i < length; ++i) {
    layout.push_back(layer_kind_from(value[i], "layout[" + std::to_string(i) + "]."));
  }
  return layout;
}

val layout_to_js(const CacheLayout& layout) noexcept {
  Array kinds;
  for (const LayerKind& kind : layout) kinds.push(layer_kind_to_js(kind));
  return kinds;
}

std::string_view field_in_js(std::string_view member) noexcept {
  for (const Member& known : kMembers) {
    if (known.name == member) return known.in_js;
  }
  return member;
}

}  // namespace attn::wasm

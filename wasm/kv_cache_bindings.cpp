#include <string>

#include "core/check.h"
#include "core/kv_cache.h"
#include "wasm/convert.h"

namespace attn::wasm {
namespace {

// 2⁵³ − 1, as far as a JavaScript number counts.
constexpr std::int64_t kLargest = 9007199254740991;

/// 0 where the field is left out.
std::int64_t count_from(const val& object, const char* key, const std::string& at) {
  const val field = object[key];
  return field.isUndefined() ? 0 : integer_from(field, at + key, 0, kLargest);
}

LayerKind layer_kind_from(const val& value, const std::string& at) {
  LayerKind result;
  const std::string kind = value["kind"].isString() ? value["kind"].as<std::string>() : "no text";
  const auto known = cache_kind(kind);
  if (!known) refuse(at + "kind", "the name of a kind of layer", kind);
  result.kind = *known;
  result.layers = integer_from(value["layers"], at + "layers", 0, kLargest);
  result.heads = count_from(value, "heads", at);
  result.k_width = count_from(value, "kWidth", at);
  result.v_width = count_from(value, "vWidth", at);
  result.window = count_from(value, "window", at);
  result.state_bytes = count_from(value, "stateBytes", at);
  result.own_bits = count_from(value, "ownBits", at);
  return result;
}

CacheLayout layout_from(const val& value) {
  if (!value.isArray()) refuse("layout", "an array", value.typeOf().as<std::string>());
  CacheLayout layout;
  const auto length = value["length"].as<unsigned>();
  for (unsigned i = 0; i < length; ++i) {
    layout.push_back(layer_kind_from(value[i], "layout[" + std::to_string(i) + "]."));
  }
  return layout;
}

CacheQuery query_from(const val& value) {
  CacheQuery query;
  query.context = integer_from(value["context"], "context", 0, kLargest);
  query.batch = integer_from(value["batch"], "batch", 1, kLargest);
  query.bits_per_value = format_bits(number_from(value["bytesPerValue"], "bytesPerValue"));
  return query;
}

val kind_to_js(const KindBytes& bytes) noexcept {
  return Object()
      .exact("bytesPerToken", bytes.bytes_per_token)
      .exact("constant", bytes.constant)
      .exact("total", bytes.total);
}

val cache_bytes_in_js(const val& layout, const val& query) {
  return guarded([&]() -> val {
    const CacheBytes bytes = cache_bytes(layout_from(layout), query_from(query));
    Array kinds;
    for (const KindBytes& kind : bytes.kinds) kinds.push(kind_to_js(kind));
    return Object()
        .exact("total", bytes.total)
        .exact("growingPerToken", bytes.growing_per_token)
        .exact("withinWindowPerToken", bytes.within_window_per_token)
        .exact("constant", bytes.constant)
        .value("kinds", kinds);
  });
}

}  // namespace
}  // namespace attn::wasm

EMSCRIPTEN_BINDINGS(kv_cache) {
  emscripten::function("cacheBytes", &attn::wasm::cache_bytes_in_js);
}

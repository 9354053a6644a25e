#include <string>

#include "core/check.h"
#include "core/config_reader.h"
#include "wasm/convert.h"
#include "wasm/layout_convert.h"

namespace attn::wasm {
namespace {

constexpr int kMostLevels = 64;

/// The tree that the page's JSON parser made.
ConfigValue config_from(const val& value, int level) {
  if (level > kMostLevels) {
    refuse("config", "at most " + std::to_string(kMostLevels) + " levels", "more");
  }
  if (value.isNull() || value.isUndefined()) return ConfigValue();
  if (value.isTrue() || value.isFalse()) return ConfigValue(value.isTrue());
  if (value.isNumber()) return ConfigValue(value.as<double>());
  if (value.isString()) return ConfigValue(value.as<std::string>());
  if (value.isArray()) {
    ConfigValue list = ConfigValue::list();
    const auto length = value["length"].as<unsigned>();
    for (unsigned i = 0; i < length; ++i) list.add(config_from(value[i], level + 1));
    return list;
  }
  ConfigValue object = ConfigValue::object();
  const val keys = val::global("Object").call<val>("keys", value);
  const auto length = keys["length"].as<unsigned>();
  for (unsigned i = 0; i < length; ++i) {
    const val key = keys[i];
    object.add(key.as<std::string>(), config_from(value[key], level + 1));
  }
  return object;
}

/// An array of what `to_item` makes of each item.
template <class Items>
val each_to_js(const Items& items, val (*to_item)(const typename Items::value_type&)) noexcept {
  Array array;
  for (const auto& item : items) array.push(to_item(item));
  return array;
}

val index_to_js(const std::size_t& index) noexcept { return val(static_cast<unsigned>(index)); }

val text_to_js(const std::string& text) noexcept { return val(text); }

val source_to_js(const FieldSource& source) noexcept {
  return Object()
      .value("kind", index_to_js(source.kind))
      .text("field", field_in_js(source.field))
      .text("path", source.path);
}

val assumption_to_js(const Assumption& assumption) noexcept {
  return Object()
      .text("code", assumption.code)
      .text("field", assumption.field)
      .text("value", assumption.value)
      .text("why", assumption.why);
}

val variant_to_js(const CacheVariant& variant) noexcept {
  return Object()
      .text("code", variant.code)
      .text("what", variant.what)
      .value("layout", layout_to_js(variant.layout))
      .number("bytesPerValue", variant.bits_per_value / 8.0);
}

val refusal_to_js(const Refusal& refusal) noexcept {
  return Object().value("refused", Object()
                                       .text("code", name(refusal.code))
                                       .text("field", refusal.field)
                                       .text("reason", refusal.reason));
}

val cache_to_js(const ModelCache& cache) noexcept {
  return Object()
      .value("layout", layout_to_js(cache.layout))
      .value("layerKinds", each_to_js(cache.layer_kinds, index_to_js))
      .text("dtype", cache.dtype)
      .text("dtypePath", cache.dtype_path)
      .number("bytesPerValue", cache.bits_per_value / 8.0)
      .number("layers", static_cast<double>(cache.n_layers))
      .number("heads", static_cast<double>(cache.n_heads))
      .number("maxContext", static_cast<double>(cache.max_context))
      .value("sources", each_to_js(cache.sources, source_to_js))
      .value("assumed", each_to_js(cache.assumed, assumption_to_js))
      .value("variants", each_to_js(cache.variants, variant_to_js))
      .value("ignored", each_to_js(cache.ignored, text_to_js));
}

val read_config_in_js(const val& config) {
  return guarded([&]() -> val {
    const auto result = read_config(config_from(config, 1));
    if (const auto* refusal = std::get_if<Refusal>(&result)) return refusal_to_js(*refusal);
    return cache_to_js(std::get<ModelCache>(result));
  });
}

}  // namespace
}  // namespace attn::wasm

EMSCRIPTEN_BINDINGS(config) { emscripten::function("readConfig", &attn::wasm::read_config_in_js); }

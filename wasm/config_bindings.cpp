#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/config_reader.h"
#include "wasm/convert.h"
#include "wasm/layout_convert.h"

namespace attn::wasm {
namespace {

/// Reads the tree that `flattened` in web/cache.ts wrote: a text of tokens, each a letter and the
/// token's own text with U+0000 behind it, and the numbers apart. One call for each value of a
/// large file would be slow.
class FlatTree {
 public:
  FlatTree(const std::string& tokens, const std::vector<double>& numbers)
      : rest_(tokens), numbers_(numbers) {}

  ConfigValue read() {
    const std::string_view token = take();
    switch (token[0]) {
      case 't':
        return ConfigValue(true);
      case 'f':
        return ConfigValue(false);
      case 'd':
        return ConfigValue(numbers_[next_++]);
      case 's':
        return ConfigValue(std::string(token.substr(1)));
      case '[': {
        ConfigValue list = ConfigValue::list();
        while (rest_[0] != ']') list.add(read());
        take();
        return list;
      }
      case '{': {
        ConfigValue object = ConfigValue::object();
        while (rest_[0] != '}') {
          std::string key(take().substr(1));
          object.add(std::move(key), read());
        }
        take();
        return object;
      }
      default:
        return ConfigValue();
    }
  }

 private:
  std::string_view take() {
    const std::size_t length = rest_.find('\0');
    const std::string_view token = rest_.substr(0, length);
    rest_.remove_prefix(length + 1);
    return token;
  }

  std::string_view rest_;
  const std::vector<double>& numbers_;
  std::size_t next_ = 0;
};

/// An array of what `to_item` makes of each item.
template <class Items>
val each_to_js(const Items& items, val (*to_item)(const typename Items::value_type&)) noexcept {
  Array array;
  for (const auto& item : items) array.push(to_item(item));
  return array;
}

val index_to_js(const std::size_t& index) noexcept { return val(static_cast<unsigned>(index)); }

val text_to_js(const std::string& text) noexcept { return val(text); }

val scales_to_js(const ValueFormat& format) noexcept {
  return Object().number("bits", format.scale_bits).number("block", format.scale_block);
}

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
      .text("why", assumption.why)
      .text("detail", assumption.detail);
}

val variant_to_js(const CacheVariant& variant) noexcept {
  return Object()
      .text("code", variant.code)
      .text("what", variant.what)
      .value("layout", layout_to_js(variant.layout))
      .number("bytesPerValue", variant.format.bits / 8.0)
      .value("scales", scales_to_js(variant.format));
}

val doubt_to_js(const Doubt& doubt) noexcept {
  return Object().text("code", doubt.code).text("field", doubt.field).text("value", doubt.value);
}

val refusal_to_js(const Refusal& refusal) noexcept {
  return Object().value("refused", Object()
                                       .text("code", name(code_of(refusal.reason)))
                                       .text("reason", name(refusal.reason))
                                       .text("field", refusal.field)
                                       .text("value", refusal.value)
                                       .text("other", refusal.other)
                                       .text("detail", refusal.detail));
}

val cache_to_js(const ModelCache& cache) noexcept {
  return Object()
      .value("layout", layout_to_js(cache.layout))
      .value("layerKinds", each_to_js(cache.layer_kinds, index_to_js))
      .text("dtype", cache.dtype)
      .text("dtypePath", cache.dtype_path)
      .number("bytesPerValue", cache.format.bits / 8.0)
      .value("scales", scales_to_js(cache.format))
      .number("layers", static_cast<double>(cache.n_layers))
      .number("passes", static_cast<double>(cache.passes))
      .number("heads", static_cast<double>(cache.n_heads))
      .number("maxContext", static_cast<double>(cache.max_context))
      .value("sources", each_to_js(cache.sources, source_to_js))
      .value("assumed", each_to_js(cache.assumed, assumption_to_js))
      .value("variants", each_to_js(cache.variants, variant_to_js))
      .value("doubts", each_to_js(cache.doubts, doubt_to_js))
      .value("ignored", each_to_js(cache.ignored, text_to_js));
}

val read_config_in_js(const std::string& tokens, const val& numbers, const val& ignored) {
  return guarded([&]() -> val {
    const auto values = emscripten::convertJSArrayToNumberVector<double>(numbers);
    std::vector<std::string> paths;
    const auto length = ignored["length"].as<unsigned>();
    for (unsigned i = 0; i < length; ++i) paths.push_back(ignored[i].as<std::string>());
    const auto result = read_config(FlatTree(tokens, values).read(), paths);
    if (const auto* refusal = std::get_if<Refusal>(&result)) return refusal_to_js(*refusal);
    return cache_to_js(std::get<ModelCache>(result));
  });
}

}  // namespace
}  // namespace attn::wasm

EMSCRIPTEN_BINDINGS(config) { emscripten::function("readConfig", &attn::wasm::read_config_in_js); }

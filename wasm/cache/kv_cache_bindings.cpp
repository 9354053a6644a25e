#include "core/kv_cache.h"
#include "wasm/function.h"

EMSCRIPTEN_BINDINGS(kv_cache) {
  using namespace attn;
  using namespace attn::wasm;
  using emscripten::value_object;

  value_object<LayerKind> layer("LayerKind");
  layer.field("kind", &LayerKind::kind);
  number_field<&LayerKind::layers>(layer, "layers");
  number_field<&LayerKind::heads>(layer, "heads");
  number_field<&LayerKind::k_width>(layer, "kWidth");
  number_field<&LayerKind::v_width>(layer, "vWidth");
  number_field<&LayerKind::window>(layer, "window");
  number_field<&LayerKind::state_bytes>(layer, "stateBytes");
  number_field<&LayerKind::own_bits>(layer, "ownBits");

  value_object<ValueFormat>("ValueFormat")
      .field("bits", &ValueFormat::bits)
      .field("scaleBits", &ValueFormat::scale_bits)
      .field("scaleBlock", &ValueFormat::scale_block);

  value_object<CacheQuery> query("CacheQuery");
  query.field("format", &CacheQuery::format);
  number_field<&CacheQuery::context>(query, "context");
  number_field<&CacheQuery::batch>(query, "batch");
  number_field<&CacheQuery::source>(query, "source");

  value_object<KindBytes>("KindBytes")
      .field("bytesPerToken", &KindBytes::bytes_per_token)
      .field("constant", &KindBytes::constant)
      .field("total", &KindBytes::total)
      .field("perSourceToken", &KindBytes::per_source_token);
  value_object<CacheBytes>("CacheBytes")
      .field("total", &CacheBytes::total)
      .field("growingPerToken", &CacheBytes::growing_per_token)
      .field("withinWindowPerToken", &CacheBytes::within_window_per_token)
      .field("constant", &CacheBytes::constant)
      .field("perSourceToken", &CacheBytes::per_source_token)
      .field("kinds", &CacheBytes::kinds);

  bind<&cache_bytes>("cacheBytes");
  bind<&longest_context>("longestContext");
}

#include "core/kv_cache.h"
#include "wasm/convert.h"
#include "wasm/layout_convert.h"

namespace attn::wasm {
namespace {

// 2⁵³ − 1, as far as a JavaScript number counts.
constexpr std::int64_t kLargest = 9007199254740991;

CacheQuery query_from(const val& value) {
  CacheQuery query;
  query.context = integer_from(value["context"], "context", 0, kLargest);
  query.batch = integer_from(value["batch"], "batch", 1, kLargest);
  query.format.bits = format_bits(number_from(value["bytesPerValue"], "bytesPerValue"));
  if (const val scales = value["scales"]; !scales.isUndefined()) {
    query.format.scale_bits = static_cast<int>(integer_from(scales["bits"], "scales.bits", 0, 64));
    query.format.scale_block =
        static_cast<int>(integer_from(scales["block"], "scales.block", 0, 1 << 16));
  }
  if (const val source = value["source"]; !source.isUndefined()) {
    query.source = integer_from(source, "source", 0, kLargest);
  }
  return query;
}

val kind_to_js(const KindBytes& bytes) noexcept {
  return Object()
      .exact("bytesPerToken", bytes.bytes_per_token)
      .exact("constant", bytes.constant)
      .exact("total", bytes.total)
      .exact("perSourceToken", bytes.per_source_token);
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
        .exact("perSourceToken", bytes.per_source_token)
        .value("kinds", kinds);
  });
}

val longest_context_in_js(const val& layout, const val& query, const val& budget) {
  return guarded([&]() -> val {
    const auto longest = longest_context(layout_from(layout), query_from(query),
                                         integer_from(budget, "budget", 0, kLargest));
    Object result;
    if (longest) result.exact("tokens", *longest);
    return result;
  });
}

}  // namespace
}  // namespace attn::wasm

EMSCRIPTEN_BINDINGS(kv_cache) {
  emscripten::function("cacheBytes", &attn::wasm::cache_bytes_in_js);
  emscripten::function("longestContext", &attn::wasm::longest_context_in_js);
}

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

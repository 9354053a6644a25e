#include "core/reserved_bytes.h"

#include "core/check.h"

namespace attn {

bool has_kv_heads(CacheKind kind) {
  return kind == CacheKind::full || kind == CacheKind::window || kind == CacheKind::chunk ||
         kind == CacheKind::cross;
}

bool has_state(CacheKind kind) {
  return kind == CacheKind::state || kind == CacheKind::convolution;
}

std::int64_t plus(std::int64_t a, std::int64_t b) {
  std::int64_t sum = 0;
  if (__builtin_add_overflow(a, b, &sum)) refuse("total", "at most 2^63 - 1 bytes", "more");
  return sum;
}

std::int64_t times(std::int64_t a, std::int64_t b) {
  std::int64_t product = 0;
  if (__builtin_mul_overflow(a, b, &product)) refuse("total", "at most 2^63 - 1 bytes", "more");
  return product;
}

std::int64_t blocks_for(std::int64_t value, std::int64_t size) {
  return value / size + (value % size != 0);
}

std::int64_t bytes_of(LayerKind kind, const CacheQuery& query, std::int64_t tokens) {
  if (kind.kind == CacheKind::window || kind.kind == CacheKind::chunk) {
    kind.kind = CacheKind::full;
    kind.window = 0;
  }
  CacheQuery one = query;
  one.batch = 1;
  one.context = tokens;
  return cache_bytes({kind}, one).total;
}

}  // namespace attn

#include "core/reservation.h"

#include <algorithm>

#include "core/reserved_bytes.h"
#include "core/vllm_pages.h"

namespace attn {
namespace {

constexpr std::int64_t kLlamaPad = 256;
constexpr std::int64_t kLlamaStep = 512;

std::int64_t in_blocks(std::int64_t tokens, std::int64_t block) {
  return times(blocks_for(tokens, block), block);
}

/// Tokens for which llama.cpp or SGLang takes room, for one sequence.
std::int64_t tokens_kept(const LayerKind& kind, std::int64_t context, Engine engine,
                         std::int64_t block) {
  const std::int64_t whole = in_blocks(context, block);
  if (kind.kind != CacheKind::window && kind.kind != CacheKind::chunk) return whole;
  if (engine != Engine::llama_cpp) return std::min(kind.window, context);
  return std::min(whole, in_blocks(plus(kind.window, kLlamaStep), block));
}

}  // namespace

Reservation reserve(const CacheLayout& layout, const CacheQuery& query, Engine engine) {
  if (engine == Engine::vllm) return reserve_pages(layout, query);
  Reservation result;
  result.block = engine == Engine::llama_cpp ? kLlamaPad : 1;
  std::int64_t one = 0;
  for (const LayerKind& kind : layout) {
    Reserved reserved;
    if (has_state(kind.kind) || kind.kind == CacheKind::cross) {
      reserved.bytes = bytes_of(kind, query, 0);
    } else if (kind.kind != CacheKind::shared && kind.kind != CacheKind::none) {
      reserved.tokens = tokens_kept(kind, query.context, engine, result.block);
      reserved.bytes = bytes_of(kind, query, reserved.tokens);
      LayerKind keys = kind;
      keys.v_width = 0;
      reserved.k_bytes = bytes_of(keys, query, reserved.tokens);
      reserved.v_bytes = reserved.bytes - reserved.k_bytes;
    }
    one = plus(one, reserved.bytes);
    result.kinds.push_back(reserved);
  }
  result.total = times(one, query.batch);
  return result;
}

}  // namespace attn

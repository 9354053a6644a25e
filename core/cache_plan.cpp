#include "core/cache_plan.h"

#include <algorithm>
#include <array>
#include <limits>
#include <string>

#include "core/check.h"

namespace attn {
namespace {

constexpr std::int64_t kVllmBlock = 16;
constexpr std::int64_t kVllmStep = 2048;
constexpr std::int64_t kLlamaPad = 256;
constexpr std::int64_t kLlamaStep = 512;

bool has_heads(CacheKind kind) {
  return kind == CacheKind::full || kind == CacheKind::window || kind == CacheKind::chunk ||
         kind == CacheKind::cross;
}

bool has_state(CacheKind kind) {
  return kind == CacheKind::state || kind == CacheKind::convolution;
}

std::int64_t rounded_up(std::int64_t value, std::int64_t step) {
  const std::int64_t rest = value % step;
  if (rest == 0) return value;
  if (value > std::numeric_limits<std::int64_t>::max() - step) {
    refuse("context", "a smaller number", std::to_string(value));
  }
  return value - rest + step;
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

/// Bytes of one entry of a layout for one sequence of `tokens` tokens.
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

/// Tokens for which an engine takes room, for one sequence.
std::int64_t tokens_kept(const LayerKind& kind, std::int64_t context, Engine engine,
                         std::int64_t block) {
  const bool windowed = kind.kind == CacheKind::window || kind.kind == CacheKind::chunk;
  if (!windowed) return rounded_up(context, block);
  switch (engine) {
    case Engine::vllm: {
      const std::int64_t most = std::min(plus(kind.window - 1, kVllmStep), context);
      return std::min(rounded_up(most, block) + block, rounded_up(context, block));
    }
    case Engine::llama_cpp:
      return std::min(rounded_up(context, block), rounded_up(plus(kind.window, kLlamaStep), block));
    case Engine::exact:
    case Engine::sglang:
      return std::min(kind.window, context);
  }
  return context;
}

/// The bytes that one layer keeps whatever the length: its state and its convolution's tail.
std::int64_t state_bytes_of_layer(const CacheLayout& layout) {
  std::int64_t bytes = 0;
  for (const LayerKind& kind : layout) {
    if (has_state(kind.kind)) bytes = plus(bytes, kind.state_bytes);
  }
  return bytes;
}

/// vLLM gives attention blocks so many tokens that a page holds a layer's state too.
std::int64_t vllm_block(const CacheLayout& layout, const CacheQuery& query) {
  const std::int64_t state = state_bytes_of_layer(layout);
  std::int64_t token = 0;
  for (LayerKind kind : layout) {
    if (!has_heads(kind.kind) && kind.kind != CacheKind::latent) continue;
    kind.layers = 1;
    token = std::max(token, bytes_of(kind, query, 1));
  }
  if (state == 0 || token == 0) return kVllmBlock;
  const std::int64_t step = times(kVllmBlock, token);
  return times(kVllmBlock, state / step + (state % step != 0));
}

}  // namespace

std::optional<Engine> engine_of(std::string_view name) {
  constexpr std::array<std::string_view, 4> kNames = {"", "vllm", "llama.cpp", "sglang"};
  const auto at = std::find(kNames.begin(), kNames.end(), name);
  if (at == kNames.end()) return std::nullopt;
  return static_cast<Engine>(at - kNames.begin());
}

CacheLayout share_of_card(const CacheLayout& layout, std::int64_t cards) {
  if (cards < 1) refuse("cards", "1 or more", std::to_string(cards));
  CacheLayout share = layout;
  for (LayerKind& kind : share) {
    if (has_heads(kind.kind)) {
      const bool split = kind.heads % cards == 0;
      if (!split && (kind.heads > cards || cards % kind.heads != 0)) {
        refuse("cards", "a divisor or a multiple of " + std::to_string(kind.heads) + " KV heads",
               std::to_string(cards));
      }
      kind.heads = split ? kind.heads / cards : 1;
    }
    if (has_state(kind.kind)) {
      if (kind.state_bytes % cards != 0) {
        refuse("cards", "a divisor of " + std::to_string(kind.state_bytes) + " bytes of state",
               std::to_string(cards));
      }
      kind.state_bytes /= cards;
    }
  }
  return share;
}

Reservation reserve(const CacheLayout& layout, const CacheQuery& query, Engine engine) {
  Reservation result;
  const bool vllm = engine == Engine::vllm;
  result.block = vllm ? vllm_block(layout, query) : engine == Engine::llama_cpp ? kLlamaPad : 1;
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
      LayerKind layer = kind;
      layer.layers = 1;
      result.page_bytes = std::max(result.page_bytes, bytes_of(layer, query, result.block));
    }
    one = plus(one, reserved.bytes);
    result.kinds.push_back(reserved);
  }
  // With states, each layer's state takes one page as large as an attention block.
  const std::int64_t state = state_bytes_of_layer(layout);
  if (vllm && state > 0 && result.page_bytes > 0) {
    const bool recurrent = std::any_of(layout.begin(), layout.end(), [](const LayerKind& kind) {
      return kind.kind == CacheKind::state;
    });
    const CacheKind main_state = recurrent ? CacheKind::state : CacheKind::convolution;
    for (std::size_t i = 0; i < layout.size(); i++) {
      if (!has_state(layout[i].kind)) continue;
      const bool main = layout[i].kind == main_state;
      const std::int64_t paged = main ? times(layout[i].layers, result.page_bytes) : 0;
      one = plus(one - result.kinds[i].bytes, paged);
      result.kinds[i].bytes = paged;
    }
  }
  result.total = times(one, query.batch);
  return result;
}

std::int64_t saved_by_sharing(const CacheLayout& layout, const CacheQuery& query,
                              std::int64_t shared) {
  if (shared < 0 || shared > query.context) {
    refuse("prefix", "0 to " + std::to_string(query.context), std::to_string(shared));
  }
  std::int64_t saved = 0;
  for (const LayerKind& kind : layout) {
    const bool whole = kind.kind == CacheKind::full || kind.kind == CacheKind::latent ||
                       kind.kind == CacheKind::index;
    if (whole) saved = plus(saved, bytes_of(kind, query, shared));
  }
  return times(saved, query.batch - 1);
}

std::optional<std::int64_t> sequences_that_fit(const CacheLayout& layout, const CacheQuery& query,
                                               Engine engine, std::int64_t shared,
                                               std::int64_t available) {
  CacheQuery one = query;
  one.batch = 1;
  const std::int64_t first = reserve(layout, one, engine).total;
  one.batch = 2;
  const std::int64_t further = first - saved_by_sharing(layout, one, shared);
  if (first > available) return 0;
  if (further == 0) return std::nullopt;
  return 1 + (available - first) / further;
}

namespace {

/// A whole number under one of the names; 0 where there is none.
std::int64_t number_at(const ConfigValue& config, std::initializer_list<const char*> names) {
  constexpr double kMost = 1e12;
  for (const char* name : names) {
    const ConfigValue* value = config.find(name);
    if (value == nullptr || !value->is(ConfigValue::Type::number)) continue;
    const double number = value->as_number();
    if (number >= 0 && number <= kMost) return static_cast<std::int64_t>(number);
  }
  return 0;
}

bool is_on(const ConfigValue& config, const char* name) {
  const ConfigValue* value = config.find(name);
  return value != nullptr && value->is(ConfigValue::Type::boolean) && value->as_boolean();
}

}  // namespace

std::optional<std::int64_t> count_parameters(const ConfigValue& config, const CacheLayout& layout) {
  const std::int64_t width = number_at(config, {"hidden_size", "d_model", "dim"});
  const std::int64_t vocabulary = number_at(config, {"vocab_size"});
  const std::int64_t heads = number_at(config, {"num_attention_heads", "n_heads"});
  const std::int64_t hidden = number_at(config, {"intermediate_size", "hidden_dim"});
  if (width == 0 || vocabulary == 0 || heads == 0 || hidden == 0) return std::nullopt;
  std::int64_t layers = 0;
  std::int64_t attention = 0;
  for (const LayerKind& kind : layout) {
    const bool known = kind.kind == CacheKind::full || kind.kind == CacheKind::window ||
                       kind.kind == CacheKind::chunk;
    if (!known) return std::nullopt;
    layers = plus(layers, kind.layers);
    // Queries and output: one width of a head for each query head; keys and values: each KV head.
    const std::int64_t one =
        times(width, plus(times(heads, plus(kind.k_width, kind.v_width)),
                          times(kind.heads, plus(kind.k_width, kind.v_width))));
    attention = plus(attention, times(one, kind.layers));
  }
  const std::int64_t dense = times(3, times(width, hidden));
  const std::int64_t experts =
      number_at(config, {"num_experts", "num_local_experts", "n_routed_experts"});
  std::int64_t forward = times(dense, layers);
  if (experts > 0) {
    const std::int64_t own = number_at(config, {"moe_intermediate_size"});
    const std::int64_t expert = own > 0 ? times(3, times(width, own)) : dense;
    const std::int64_t shared = number_at(config, {"n_shared_experts", "num_shared_experts"});
    const std::int64_t first = std::min(number_at(config, {"first_k_dense_replace"}), layers);
    const std::int64_t each = plus(times(plus(experts, shared), expert), times(width, experts));
    forward = plus(times(first, dense), times(layers - first, each));
  }
  const std::int64_t tables = times(vocabulary, width);
  const std::int64_t norms = times(width, plus(times(2, layers), 1));
  const bool tied = is_on(config, "tie_word_embeddings");
  return plus(plus(times(tied ? 1 : 2, tables), norms), plus(attention, forward));
}

}  // namespace attn

#include "core/cache_plan.h"

#include <algorithm>
#include <string>

#include "core/check.h"
#include "core/config_names.h"
#include "core/reserved_bytes.h"

namespace attn {

CacheLayout share_of_card(const CacheLayout& layout, std::int64_t cards) {
  if (cards < 1) refuse("cards", "1 or more", std::to_string(cards));
  CacheLayout share = layout;
  for (LayerKind& kind : share) {
    if (has_kv_heads(kind.kind)) {
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

/// The innermost config of the language model in a model of several parts.
const ConfigValue& language_model(const ConfigValue& config) {
  for (const std::string_view name : kLanguageModelNames) {
    const ConfigValue* inner = config.find(name);
    if (inner != nullptr && inner->is(ConfigValue::Type::object)) return language_model(*inner);
  }
  return config;
}

}  // namespace

std::optional<std::int64_t> count_parameters(const ConfigValue& whole, const CacheLayout& layout) {
  const ConfigValue& config = language_model(whole);
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

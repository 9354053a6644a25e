// The cost of running a model: its cache over several cards, and the number of requests that fit
// beside the weights.
#pragma once

#include <cstdint>
#include <optional>

#include "core/config_value.h"
#include "core/kv_cache.h"
#include "core/reservation.h"

namespace attn {

/// One card's share of a layout under tensor parallelism.
///
/// Key-value heads are dealt out; where there are fewer heads than cards, each card keeps a copy of
/// one. Latent vectors and index keys are kept whole on every card. States are split.
///
/// @throws std::invalid_argument if the heads or states cannot be split into that many equal parts
CacheLayout share_of_card(const CacheLayout& layout, std::int64_t cards);

/// Sequences of `query.context` tokens that fit into `available` bytes; shared tokens count once.
///
/// @param query   its batch is not used
/// @param shared  tokens that begin every sequence alike, at most the context
/// @return nothing where a sequence takes no room
std::optional<std::int64_t> sequences_that_fit(const CacheLayout& layout, const CacheQuery& query,
                                               Engine engine, std::int64_t shared,
                                               std::int64_t available);

/// The bytes that `batch` sequences save by keeping their common beginning once: full, latent and
/// index layers only, since windows move on and states are not split by token.
std::int64_t saved_by_sharing(const CacheLayout& layout, const CacheQuery& query,
                              std::int64_t shared);

/// The number of parameters of a decoder with attention and a gated feed-forward part in each
/// layer, dense or of experts; nothing where the config describes something else. Of a model of
/// several parts, those of its language model.
std::optional<std::int64_t> count_parameters(const ConfigValue& config, const CacheLayout& layout);

}  // namespace attn

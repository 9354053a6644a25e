// The cost of running a model: its cache over several cards, in the blocks of an engine, and the
// number of requests that fit beside the weights.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "core/config_value.h"
#include "core/kv_cache.h"

namespace attn {

/// One card's share of a layout under tensor parallelism.
///
/// Key-value heads are dealt out; where there are fewer heads than cards, each card keeps a copy of
/// one. Latent vectors and index keys are kept whole on every card. States are split.
///
/// @throws std::invalid_argument if the heads or states cannot be split into that many equal parts
CacheLayout share_of_card(const CacheLayout& layout, std::int64_t cards);

enum class Engine { exact, vllm, llama_cpp, sglang };

std::optional<Engine> engine_of(std::string_view name);

/// How an engine stores one kind of layer.
struct Reserved {
  std::int64_t tokens = 0;  // that one sequence takes room for; 0 where the kind keeps none
  std::int64_t bytes = 0;   // of one sequence, all layers of the kind
  std::int64_t k_bytes = 0;
  std::int64_t v_bytes = 0;
};

struct Reservation {
  std::int64_t block = 1;       // tokens
  std::int64_t page_bytes = 0;  // of one block of one layer; vLLM with states: the same for all
  std::int64_t total = 0;       // all sequences
  std::vector<Reserved> kinds;  // in the layout's order
};

/// The memory that an engine takes for `query.batch` sequences of `query.context` tokens.
///
/// vLLM: blocks of 16 tokens; a window keeps its tokens, those of one step (2,048) and a block;
/// with recurrent states one page holds a layer's whole state, and attention blocks grow to that
/// size. llama.cpp: cells in multiples of 256; a window keeps its tokens and those of one step
/// (512). SGLang: pages of one token. Source: vllm/v1/kv_cache_interface.py and
/// model_executor/models/config.py, llama-kv-cache-iswa.cpp, sglang's memory_pool.py.
///
/// @throws std::invalid_argument as `cache_bytes`
Reservation reserve(const CacheLayout& layout, const CacheQuery& query, Engine engine);

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
/// layer, dense or of experts; nothing where the config describes something else.
std::optional<std::int64_t> count_parameters(const ConfigValue& config, const CacheLayout& layout);

}  // namespace attn

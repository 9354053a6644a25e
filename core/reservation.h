// The memory that an engine takes for a cache: blocks of tokens, pages, groups of layers.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "core/kv_cache.h"
#include "core/names.h"

namespace attn {

enum class Engine { exact, vllm, llama_cpp, sglang };

/// The exact size is that of no engine, so its name is empty.
template <>
inline constexpr std::array<std::string_view, 4> names<Engine> = {"", "vllm", "llama.cpp",
                                                                  "sglang"};

/// How an engine stores one kind of layer.
struct Reserved {
  std::int64_t tokens = 0;          // that one sequence takes room for; 0 where the kind keeps none
  std::int64_t bytes = 0;           // of one sequence, all layers of the kind
  std::int64_t k_bytes = 0;         // of these, keys; llama.cpp and SGLang
  std::int64_t v_bytes = 0;         // likewise, values
  std::int64_t padding_layers = 0;  // vLLM: layers that the last group of the kind is short of
};

struct Reservation {
  std::int64_t block = 1;       // tokens
  std::int64_t page_bytes = 0;  // vLLM: of one block of one layer, the largest
  std::int64_t total = 0;       // all sequences
  std::vector<Reserved> kinds;  // in the layout's order
};

/// The memory that an engine takes for `query.batch` sequences of `query.context` tokens.
///
/// vLLM: blocks of 16 tokens. A window keeps its tokens but one, those of one step (2,048) and a
/// block; a chunk its tokens and those of one step. Layers of different kinds share one pool of
/// blocks, so that one page size holds for all: smaller ones take more tokens a block, or are
/// padded. Kinds are divided into groups with the same number of layers, that of the rarest kind,
/// or of the commonest where that is less than half as many again; the last group of a kind is
/// padded, and every group has blocks of its own. A layer's state is one page, and attention blocks
/// grow until it holds. Layers of one kind, and full layers with latent or index keys, form a
/// single group without padding. Layouts with index keys beside other kinds are not grouped here.
/// llama.cpp: cells in multiples of 256; a window keeps its tokens and those of one step (512).
/// SGLang: pages of one token.
///
/// Source: vllm/v1/core/kv_cache_utils.py (`unify_kv_cache_spec_page_size`,
/// `_get_kv_cache_groups_uniform_page_size`, `get_max_concurrency_for_kv_cache_config`),
/// vllm/v1/kv_cache_interface.py (`max_admission_blocks_per_request`) and
/// vllm/model_executor/models/config.py; llama-kv-cache-iswa.cpp; sglang's memory_pool.py.
///
/// @throws std::invalid_argument as `cache_bytes`
Reservation reserve(const CacheLayout& layout, const CacheQuery& query, Engine engine);

}  // namespace attn

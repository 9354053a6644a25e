// One plan of serving a model: its cache on several cards, beside the weights, in an engine.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/cache_plan.h"

namespace attn {

struct ServingRequest {
  std::int64_t cards = 1;
  double memory = 0;         // bytes of one card; 0: not given
  std::int64_t weights = 0;  // bytes, on all cards together
  std::int64_t prefix = 0;   // tokens that begin every sequence alike
  Engine engine = Engine::exact;
  std::string format;  // name of the cache's format in llama.cpp's log; empty: f16
};

/// How many sequences fit beside the weights, on all cards together.
struct Budget {
  std::int64_t memory = 0;              // bytes of all cards
  std::int64_t weights = 0;             // bytes
  std::int64_t reserve = 0;             // left for activations and the engine
  std::int64_t available = 0;           // for the cache; may be negative
  std::int64_t sequences = 0;           // −1: any number
  std::optional<std::int64_t> longest;  // tokens of each of `batch` sequences; nothing: any length
};

struct ServingPlan {
  CacheLayout share;                    // of one card
  CacheBytes card;                      // the exact size of that share
  std::int64_t saved = 0;               // of the whole size, by keeping the common beginning once
  std::optional<Reservation> reserved;  // of one card, where an engine was named
  std::optional<Budget> budget;         // where the memory was given
  std::vector<std::string> log;         // the lines that the engine's log would show
};

/// vLLM leaves a tenth of the memory for activations and itself (gpu_memory_utilization 0.9), and
/// so does a plan without an engine; SGLang leaves 0.12 of it (mem_fraction_static 0.88), llama.cpp
/// nothing.
///
/// @throws std::invalid_argument as `share_of_card`, `saved_by_sharing` and `cache_bytes`, or for a
///         memory of 2⁶² bytes or more
ServingPlan plan_serving(const CacheLayout& layout, const CacheQuery& query,
                         const ServingRequest& request);

/// Bytes of the weights in a format, rounded up. A scale of a whole head stands for 128 values.
std::int64_t weight_bytes(std::int64_t parameters, const ValueFormat& format);

}  // namespace attn

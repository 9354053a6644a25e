#include "core/serving_plan.h"

#include <cmath>

#include "core/check.h"
#include "core/engine_log.h"

namespace attn {
namespace {

/// The part of the memory that an engine leaves for activations and itself by default.
double left_free(Engine engine) {
  switch (engine) {
    case Engine::vllm:
    case Engine::exact:
      return 0.1;
    case Engine::sglang:
      return 0.12;
    case Engine::llama_cpp:
      return 0;
  }
  return 0;
}

Budget budget_of(const CacheLayout& share, const CacheQuery& query, const ServingRequest& request) {
  constexpr double kMost = 4611686018427387904;  // 2⁶²
  const double memory = request.memory * static_cast<double>(request.cards);
  if (!(memory < kMost)) refuse("memory", "less than 2^62 bytes", text_of(memory));
  Budget budget;
  budget.memory = static_cast<std::int64_t>(memory);
  budget.weights = request.weights;
  budget.reserve = static_cast<std::int64_t>(memory * left_free(request.engine));
  budget.available = budget.memory - budget.weights - budget.reserve;
  if (budget.available < 0) return budget;
  const std::int64_t of_card = budget.available / request.cards;
  const auto sequences = sequences_that_fit(share, query, request.engine, request.prefix, of_card);
  budget.sequences = sequences.value_or(-1);
  budget.longest = longest_context(share, query, of_card);
  return budget;
}

}  // namespace

ServingPlan plan_serving(const CacheLayout& layout, const CacheQuery& query,
                         const ServingRequest& request) {
  ServingPlan plan;
  plan.share = share_of_card(layout, request.cards);
  plan.card = cache_bytes(plan.share, query);
  plan.saved = saved_by_sharing(layout, query, request.prefix);
  if (request.engine != Engine::exact) {
    plan.reserved = reserve(plan.share, query, request.engine);
  }
  if (request.memory > 0) plan.budget = budget_of(plan.share, query, request);
  plan.log = engine_log(plan, query, request);
  return plan;
}

std::int64_t weight_bytes(std::int64_t parameters, const ValueFormat& format) {
  const double block = format.scale_block > 0 ? format.scale_block : 128;
  const double bits = format.bits + (format.scale_bits > 0 ? format.scale_bits / block : 0);
  return static_cast<std::int64_t>(std::ceil(static_cast<double>(parameters) * bits / 8));
}

}  // namespace attn

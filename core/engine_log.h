// The lines about the cache that an inference engine prints when it starts.
#pragma once

#include <string>
#include <vector>

#include "core/serving_plan.h"

namespace attn {

/// Source: vllm/v1/core/kv_cache_utils.py and model_executor/models/config.py,
/// llama-kv-cache.cpp, sglang's memory_pool.py.
///
/// @return nothing without an engine, or where a number is too large to print
std::vector<std::string> engine_log(const ServingPlan& plan, const CacheQuery& query,
                                    const ServingRequest& request);

/// A quotient with two decimals, as `%.2f` prints it: half to even.
///
/// @param numerator    0 or more
/// @param denominator  1 to 2⁵⁸
std::string two_decimals(std::int64_t numerator, std::int64_t denominator);

/// "1,234,567"
std::string grouped(std::int64_t value);

}  // namespace attn

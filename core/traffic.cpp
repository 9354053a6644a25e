#include "core/traffic.h"

#include <algorithm>
#include <cmath>
#include <string_view>
#include <utility>

#include "core/check.h"

namespace attn {

Traffic attention_traffic(const TrafficOptions& options) {
  const auto& [n, d, heads, bytes, block, operations_per_second, bytes_per_second] = options;
  for (const auto& [name, value] : {std::pair<std::string_view, double>{"n", n},
                                    {"d", d},
                                    {"heads", heads},
                                    {"block", block},
                                    {"operationsPerSecond", operations_per_second},
                                    {"bytesPerSecond", bytes_per_second}}) {
    if (!std::isfinite(value) || value < 1) refuse(name, "a number, at least 1", text_of(value));
  }
  if (!std::isfinite(bytes) || bytes <= 0) {
    refuse("bytesPerValue", "a number above 0", text_of(bytes));
  }
  const double blocks = std::ceil(n / std::min(block, n));
  Traffic traffic;
  traffic.operations = 4 * n * n * d * heads;
  traffic.operands_bytes = 4 * n * d * bytes * heads;
  traffic.scores_bytes = 4 * n * n * bytes * heads;
  traffic.standard_bytes = traffic.operands_bytes + traffic.scores_bytes;
  traffic.tiled_bytes = 2 * n * d * bytes * heads * (1 + blocks);
  traffic.square_bytes = n * n * bytes * heads;
  traffic.arithmetic_seconds = traffic.operations / operations_per_second;
  traffic.standard_seconds = traffic.standard_bytes / bytes_per_second;
  traffic.tiled_seconds = traffic.tiled_bytes / bytes_per_second;
  return traffic;
}

}  // namespace attn

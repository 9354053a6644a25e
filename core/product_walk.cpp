#include "core/product_walk.h"

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

#include "core/check.h"
#include "core/rng.h"

namespace attn {
namespace {

constexpr int kMostComponents = 4096;
constexpr std::uint64_t kStream = kMostComponents + 1;

}  // namespace

Matrix product_walks(std::span<const int> stops, std::uint64_t seed, int keys) {
  if (stops.empty()) refuse("stops", "at least one number", "none");
  if (keys < 1 || keys > 64) refuse("keys", "1 to 64", text_of(keys));
  Matrix sums(static_cast<Eigen::Index>(stops.size()), keys);
  std::vector<double> walk(static_cast<std::size_t>(keys));
  Rng rng(seed, kStream);
  int walked = 0;
  for (std::size_t i = 0; i < stops.size(); ++i) {
    const int lowest = i == 0 ? 1 : stops[i - 1];
    if (stops[i] < lowest || stops[i] > kMostComponents) {
      const std::string range = text_of(lowest) + " to " + text_of(kMostComponents);
      refuse(item_of("stops", i), range, text_of(stops[i]));
    }
    for (; walked < stops[i]; ++walked) {
      const double component = rng.normal();
      for (double& sum : walk) sum += component * rng.normal();
    }
    std::copy(walk.begin(), walk.end(), row_of(sums, static_cast<Eigen::Index>(i)).begin());
  }
  return sums;
}

}  // namespace attn

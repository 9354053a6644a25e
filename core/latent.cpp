#include "core/latent.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string_view>
#include <tuple>

#include "core/check.h"
#include "core/product.h"
#include "core/rotary.h"

namespace attn {
namespace {

double largest_difference(const std::vector<double>& a, const std::vector<double>& b) {
  double largest = 0;
  for (std::size_t i = 0; i < a.size(); ++i) largest = std::max(largest, std::abs(a[i] - b[i]));
  return largest;
}

}  // namespace

LatentScores latent_scores(std::span<const double> query, const Matrix& latents, const Matrix& up,
                           int rotated, double base) {
  require_finite("query", query);
  require_finite("up", up);
  if (query.size() != static_cast<std::size_t>(up.cols())) {
    refuse("query", text_of(up.cols()) + " numbers", text_of(query.size()));
  }
  const Eigen::Index t = latents.rows();
  std::vector<double> positions, distances;
  for (Eigen::Index j = 0; j < t; ++j) {
    positions.push_back(static_cast<double>(j));
    distances.push_back(static_cast<double>(t - 1 - j));
  }

  LatentScores scores;
  scores.keys = rotate(product(latents, up), positions, rotated, base);
  // One copy of the query per token, to be rotated by an angle of its own.
  const Matrix copies = Eigen::Map<const Matrix>(query.data(), 1, up.cols()).replicate(t, 1);
  const Matrix turned =
      rotate(copies, std::vector<double>(static_cast<std::size_t>(t), static_cast<double>(t - 1)),
             rotated, base);
  scores.folded = product(rotate(copies, distances, rotated, base), up.transpose());
  scores.expanded = row_products(turned, scores.keys);
  scores.each = row_products(scores.folded, latents);
  const Matrix once = product(latents, scores.folded.bottomRows(1).transpose());
  scores.once.assign(once.data(), once.data() + t);
  scores.each_error = largest_difference(scores.each, scores.expanded);
  scores.once_error = largest_difference(scores.once, scores.expanded);
  return scores;
}

LatentSizes latent_sizes(int heads, int width, int rank, int rope) {
  for (const auto& [name, value, least] :
       {std::tuple<std::string_view, int, int>{"heads", heads, 1},
        {"width", width, 1},
        {"rank", rank, 1},
        {"rope", rope, 0}}) {
    if (value < least) refuse(name, "at least " + text_of(least), text_of(value));
  }
  LatentSizes sizes;
  sizes.keys = heads * width;
  sizes.whole = 2 * sizes.keys;
  sizes.kept = rank + rope;
  sizes.share = static_cast<double>(sizes.kept) / sizes.whole;
  return sizes;
}

}  // namespace attn

// The variance experiment: dot products of random vectors, with and without division by √d.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace attn {

/// counts[i] values fell into [lo + i w, lo + (i + 1) w), w = (hi − lo) ÷ counts.size(); the last
/// bin includes hi.
struct Histogram {
  double lo, hi;
  std::vector<int> counts;
  int below = 0, above = 0;  // values outside [lo, hi]
};

/// Spread of the scores of all rows, and statistics of the softmax of each row.
struct Spread {
  double std;         // standard deviation of all products
  double max_weight;  // this and the next two are means over the rows
  double entropy;     // ÷ ln(keys)
  double jacobian_norm;
  double jacobian_norm_median;
  double gap_above_10;  // share of all pairs of scores within a row that differ by more than 10
  double gap_above_20;
  Histogram histogram;
};

struct VarianceRow {
  int d;
  Spread raw;
  Spread scaled;  // the same products ÷ √d
};

/// For each d: `samples` rows, each one query against `keys` keys, all components standard normal.
///
/// Dimension d draws from stream d of the seed, row by row: the query's d components, then those of
/// each key; so its numbers do not depend on the other dimensions of the call. The histograms of
/// all raw spreads share one axis, ±⌈4√(largest d)⌉, and those of all scaled ones ±4.
///
/// @param dims     each 1 … 4096, at least one
/// @param samples  at least 1
/// @param keys     2 … 64
/// @throws std::invalid_argument outside these ranges or if more than 10⁹ numbers would be drawn
std::vector<VarianceRow> variance_experiment(std::span<const int> dims, std::uint64_t seed,
                                             int samples, int keys);

/// The first `count` products of dimension d in that experiment, in the order of the draws, as bins
/// of its scaled histogram: counts.size() above the last one, −1 below the first.
///
/// @param count  1 … 4096; the other arguments as above
std::vector<int> product_bins(int d, std::uint64_t seed, int count, int keys);

}  // namespace attn

// Weights of one row of scores divided by 1, √d and d.
#pragma once

#include <span>
#include <vector>

namespace attn {

struct DivisorRow {
  double divisor;
  std::vector<double> weights;  // (n) softmax(scores ÷ divisor)
  double max_weight;
  double entropy;  // ÷ ln n
  double std;      // √d ÷ divisor, for products of vectors of d components of unit variance
};

/// One row for each of the divisors 1, √d, d.
///
/// @param scores  (n) finite, n ≥ 1
/// @param d       dimension of query and key, ≥ 1
std::vector<DivisorRow> compare_divisors(std::span<const double> scores, int d);

}  // namespace attn

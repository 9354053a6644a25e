#include "core/normal_matrix.h"

#include <cmath>

#include "core/check.h"

namespace attn {

Matrix normal_matrix(int rows, int cols, double std, std::uint64_t seed, std::uint64_t stream) {
  if (rows < 1) refuse("rows", "at least 1", text_of(rows));
  if (cols < 1) refuse("cols", "at least 1", text_of(cols));
  if (!(std >= 0 && std::isfinite(std))) refuse("std", "0 or more", text_of(std));
  Rng rng(seed, stream);
  return normal_matrix(rows, cols, std, rng);
}

Matrix normal_matrix(Eigen::Index rows, Eigen::Index cols, double std, Rng& rng) {
  Matrix result(rows, cols);
  for (double& number : result.reshaped<Eigen::RowMajor>()) number = std * rng.normal();
  return result;
}

}  // namespace attn

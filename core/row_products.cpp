#include "core/row_products.h"

#include "core/check.h"
#include "core/product.h"

namespace attn {

std::vector<double> row_products(const Matrix& q, const Matrix& k) {
  require_finite("q", q);
  require_finite("k", k);
  if (k.rows() != q.rows() || k.cols() != q.cols()) refuse("k", shape_of(q), shape_of(k));
  std::vector<double> products;
  for (Eigen::Index t = 0; t < q.rows(); ++t) products.push_back(dot(row_of(q, t), row_of(k, t)));
  return products;
}

}  // namespace attn

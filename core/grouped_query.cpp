#include "core/grouped_query.h"

#include "core/check.h"

namespace attn {
namespace {

void require_groups(int heads, int groups) {
  if (heads < 1) refuse("heads", "at least 1", text_of(heads));
  if (groups < 1 || heads % groups != 0) {
    refuse("groups", "a divisor of heads, " + text_of(heads), text_of(groups));
  }
}

Eigen::Index width_of(const char* name, const Matrix& matrix, int parts) {
  if (matrix.cols() % parts != 0) {
    refuse(name, "columns in multiples of " + text_of(parts), text_of(matrix.cols()));
  }
  return matrix.cols() / parts;
}

}  // namespace

Matrix pool_heads(const Matrix& kept, int heads, int groups) {
  require_groups(heads, groups);
  require_finite("kept", kept);
  const Eigen::Index width = width_of("kept", kept, heads);
  const int size = heads / groups;
  Matrix pooled = Matrix::Zero(kept.rows(), groups * width);
  for (int head = 0; head < heads; ++head) {
    pooled.middleCols(head / size * width, width) += kept.middleCols(head * width, width);
  }
  return pooled / size;
}

// listing: heads
MultiHeadTrace grouped_query_attention(const Matrix& q, const Matrix& k, const Matrix& v,
                                       const Matrix& mask, int heads, int groups, bool scaled) {
  require_groups(heads, groups);
  const Eigen::Index d_k = width_of("q", q, heads);
  if (k.cols() != groups * d_k) refuse("k", shape_of(k.rows(), groups * d_k), shape_of(k));
  const Eigen::Index d_v = width_of("v", v, groups);
  MultiHeadTrace trace;
  trace.output.resize(q.rows(), heads * d_v);
  for (int head = 0; head < heads; ++head) {
    const int group = head / (heads / groups);
    trace.heads.push_back(attention(q.middleCols(head * d_k, d_k), k.middleCols(group * d_k, d_k),
                                    v.middleCols(group * d_v, d_v), mask, scaled));
    trace.output.middleCols(head * d_v, d_v) = trace.heads.back().output;
  }
  return trace;
}
// end

}  // namespace attn

#include "core/multi_head.h"

#include <string>
#include <string_view>

#include "core/check.h"

namespace attn {
namespace {

void require_divisible(std::string_view name, Eigen::Index width, int heads) {
  if (heads < 1 || width % heads != 0) {
    refuse("heads", "a divisor of the width of " + std::string(name) + ", " + text_of(width),
           text_of(heads));
  }
}

}  // namespace

MultiHeadTrace multi_head_attention(const Matrix& q, const Matrix& k, const Matrix& v,
                                    const Matrix& mask, int heads, bool scaled) {
  require_divisible("q", q.cols(), heads);
  require_divisible("k", k.cols(), heads);
  require_divisible("v", v.cols(), heads);
  const auto columns = [heads](const Matrix& m, int head) -> Matrix {
    const Eigen::Index width = m.cols() / heads;
    return m.middleCols(head * width, width);
  };
  MultiHeadTrace trace;
  trace.heads = std::vector<AttentionTrace>(static_cast<std::size_t>(heads));
  trace.output.resize(q.rows(), v.cols());
  const Eigen::Index width = v.cols() / heads;
  for (int head = 0; head < heads; ++head) {
    AttentionTrace& part = trace.heads[static_cast<std::size_t>(head)];
    part = attention(columns(q, head), columns(k, head), columns(v, head), mask, scaled);
    trace.output.middleCols(head * width, width) = part.output;
  }
  return trace;
}

}  // namespace attn

#include "core/multi_head.h"

#include <string>
#include <string_view>

#include "core/check.h"
#include "core/grouped_query.h"

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
  return grouped_query_attention(q, k, v, mask, heads, heads, scaled);
}

}  // namespace attn

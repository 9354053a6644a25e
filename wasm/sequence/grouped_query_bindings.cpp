#include "core/grouped_query.h"
#include "core/mask.h"
#include "wasm/function.h"

namespace attn::wasm {
namespace {

struct GroupOptions {
  int heads = 1;
  int groups = 1;
};

struct GroupedTrace {
  std::vector<Matrix> weights;  // (T, T) of each query head
  Matrix output;                // (T, heads · d_v)
};

Matrix pool(const Matrix& kept, const GroupOptions& options) {
  return pool_heads(kept, options.heads, options.groups);
}

GroupedTrace grouped_query(const Matrix& q, const Matrix& k, const Matrix& v,
                           const GroupOptions& options) {
  MultiHeadTrace trace =
      grouped_query_attention(q, k, v, causal_mask(q.rows()), options.heads, options.groups, true);
  GroupedTrace result;
  for (AttentionTrace& head : trace.heads) result.weights.push_back(std::move(head.weights));
  result.output = std::move(trace.output);
  return result;
}

}  // namespace
}  // namespace attn::wasm

EMSCRIPTEN_BINDINGS(grouped_query) {
  using namespace attn;
  using namespace attn::wasm;
  using emscripten::value_object;
  value_object<GroupOptions>("GroupOptions")
      .field("heads", &GroupOptions::heads)
      .field("groups", &GroupOptions::groups);
  value_object<GroupedTrace>("GroupedTrace")
      .field("weights", &GroupedTrace::weights)
      .field("output", &GroupedTrace::output);
  bind<&pool>("poolHeads");
  bind<&grouped_query>("groupedQuery");
}

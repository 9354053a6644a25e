#include "core/grouped_query.h"
#include "core/mask.h"
#include "wasm/buffer.h"

namespace attn::wasm {
namespace {

void pool_heads_call(Input& in, Output& out) {
  const Matrix kept = in.matrix("kept");
  const int heads = in.integer("heads", 1, 1 << 20);
  out << pool_heads(kept, heads, in.integer("groups", 1, 1 << 20));
}

void grouped_query_call(Input& in, Output& out) {
  const Matrix q = in.matrix("q"), k = in.matrix("k"), v = in.matrix("v");
  const int heads = in.integer("heads", 1, 1 << 20);
  const int groups = in.integer("groups", 1, 1 << 20);
  const MultiHeadTrace trace =
      grouped_query_attention(q, k, v, causal_mask(q.rows()), heads, groups, true);
  std::vector<Matrix> weights;
  for (const AttentionTrace& head : trace.heads) weights.push_back(head.weights);
  out << weights << trace.output;
}

}  // namespace
}  // namespace attn::wasm

EMSCRIPTEN_BINDINGS(grouped_query) {
  attn::wasm::define<attn::wasm::pool_heads_call>("poolHeads");
  attn::wasm::define<attn::wasm::grouped_query_call>("groupedQuery");
}

#include "core/attention.h"
#include "core/mask.h"
#include "core/multi_head.h"
#include "wasm/buffer.h"

namespace attn::wasm {

Output& operator<<(Output& out, const AttentionTrace& trace) {
  return out << trace.scores << trace.weights << trace.output << trace.entropy;
}

namespace {

Matrix mask_from(Input& in, const Matrix& q, const Matrix& k) {
  switch (in.integer("mask", 0, 3)) {
    case 0:
      return no_mask(q.rows(), k.rows());
    case 1:
      return causal_mask(q.rows());
    case 2:
      return self_mask(q.rows());
    default:
      return in.matrix("mask");
  }
}

void attention_call(Input& in, Output& out) {
  const Matrix q = in.matrix("q"), k = in.matrix("k"), v = in.matrix("v");
  const bool scaled = in.flag();
  out << attention(q, k, v, mask_from(in, q, k), scaled);
}

void multi_head_call(Input& in, Output& out) {
  const Matrix q = in.matrix("q"), k = in.matrix("k"), v = in.matrix("v");
  const int heads = in.integer("heads", 1, 1 << 20);
  const bool scaled = in.flag();
  const MultiHeadTrace trace = multi_head_attention(q, k, v, mask_from(in, q, k), heads, scaled);
  out << trace.heads << trace.output;
}

}  // namespace
}  // namespace attn::wasm

ATTN_EXPORT(attention, attn::wasm::attention_call)
ATTN_EXPORT(multiHead, attn::wasm::multi_head_call)

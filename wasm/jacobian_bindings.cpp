#include "core/jacobian.h"
#include "wasm/buffer.h"

namespace attn::wasm {
namespace {

void jacobian_call(Input& in, Output& out) {
  const Jacobian jacobian = softmax_jacobian(in.numbers());
  out << jacobian.matrix << jacobian.row_sums << jacobian.norm;
}

}  // namespace
}  // namespace attn::wasm

ATTN_EXPORT(jacobian, attn::wasm::jacobian_call)

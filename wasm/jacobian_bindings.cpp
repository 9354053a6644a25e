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

EMSCRIPTEN_BINDINGS(jacobian) { attn::wasm::define<attn::wasm::jacobian_call>("jacobian"); }

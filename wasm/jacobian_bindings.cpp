#include "core/jacobian.h"
#include "wasm/convert.h"

namespace attn::wasm {
namespace {

val jacobian_in_js(const val& probabilities) {
  return guarded([&]() -> val {
    const Jacobian jacobian = softmax_jacobian(numbers_from(probabilities, "probabilities"));
    return Object()
        .matrix("matrix", jacobian.matrix)
        .numbers("rowSums", jacobian.row_sums)
        .number("norm", jacobian.norm);
  });
}

}  // namespace
}  // namespace attn::wasm

EMSCRIPTEN_BINDINGS(jacobian) { emscripten::function("jacobian", &attn::wasm::jacobian_in_js); }

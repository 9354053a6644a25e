#include "core/cosine.h"
#include "core/product.h"
#include "wasm/buffer.h"

namespace attn::wasm {
namespace {

void product_call(Input& in, Output& out) {
  const Matrix x = in.matrix("x"), w = in.matrix("w");
  out << product(x, w);
}

void cosine_call(Input& in, Output& out) {
  const std::span<const double> a = in.numbers(), b = in.numbers();
  out << cosine(a, b);
}

}  // namespace
}  // namespace attn::wasm

EMSCRIPTEN_BINDINGS(product) {
  attn::wasm::define<attn::wasm::product_call>("product");
  attn::wasm::define<attn::wasm::cosine_call>("cosine");
}

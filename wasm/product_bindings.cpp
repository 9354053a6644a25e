#include "core/cosine.h"
#include "core/product.h"
#include "wasm/convert.h"

namespace attn::wasm {
namespace {

val product_in_js(const val& x, const val& w) {
  return guarded([&] { return to_js(product(matrix_from(x, "x"), matrix_from(w, "w"))); });
}

val cosine_in_js(const val& a, const val& b) {
  return guarded([&] { return val(cosine(numbers_from(a, "a"), numbers_from(b, "b"))); });
}

}  // namespace
}  // namespace attn::wasm

EMSCRIPTEN_BINDINGS(product) {
  emscripten::function("product", &attn::wasm::product_in_js);
  emscripten::function("cosine", &attn::wasm::cosine_in_js);
}

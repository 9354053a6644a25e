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

ATTN_EXPORT(product, attn::wasm::product_call)
ATTN_EXPORT(cosine, attn::wasm::cosine_call)

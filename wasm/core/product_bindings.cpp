#include "core/cosine.h"
#include "core/product.h"
#include "wasm/function.h"

EMSCRIPTEN_BINDINGS(product) {
  using namespace attn;
  using namespace attn::wasm;
  bind<&product>("product");
  bind<&cosine>("cosine");
}

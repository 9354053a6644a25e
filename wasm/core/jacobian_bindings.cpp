#include "core/jacobian.h"
#include "wasm/function.h"

EMSCRIPTEN_BINDINGS(jacobian) {
  using namespace attn;
  using namespace attn::wasm;
  using emscripten::value_object;
  value_object<Jacobian>("Jacobian")
      .field("matrix", &Jacobian::matrix)
      .field("rowSums", &Jacobian::row_sums)
      .field("norm", &Jacobian::norm);
  bind<&softmax_jacobian>("jacobian");
}

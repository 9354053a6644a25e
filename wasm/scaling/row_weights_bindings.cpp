#include "core/log_slope.h"
#include "core/row_weights.h"
#include "wasm/function.h"

EMSCRIPTEN_BINDINGS(row_weights) {
  using namespace attn;
  using namespace attn::wasm;
  bind<&row_weights>("rowWeights");
  bind<&log_slope>("logSlope");
}

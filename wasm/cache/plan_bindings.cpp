#include "core/cache_plan.h"
#include "wasm/function.h"

EMSCRIPTEN_BINDINGS(cache_plan) {
  using namespace attn;
  using namespace attn::wasm;

  bind<&sequences_that_fit>("sequencesThatFit");
}

#include <emscripten/bind.h>

#include "core/math.h"

EMSCRIPTEN_BINDINGS(math) {
  // Numbers need no conversion, and this function throws no exception.
  emscripten::function("exp", emscripten::select_overload<double(double)>(&attn::exp));
  emscripten::function("log", emscripten::select_overload<double(double)>(&attn::log));
}

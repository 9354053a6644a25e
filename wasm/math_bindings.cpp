#include <emscripten/bind.h>

#include "core/math.h"

namespace {

double exp_in_js(double x) { return attn::exp(x); }
double log_in_js(double x) { return attn::log(x); }

}  // namespace

EMSCRIPTEN_BINDINGS(math) {
  emscripten::function("exp", &exp_in_js);
  emscripten::function("log", &log_in_js);
}

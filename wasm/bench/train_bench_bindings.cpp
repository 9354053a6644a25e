#include <emscripten/bind.h>

#include "core/programs/train_bench.h"

EMSCRIPTEN_BINDINGS(train_bench) {
  emscripten::function("measureTraining", &attn::measure_training);
}

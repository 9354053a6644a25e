#include <emscripten/bind.h>

#include "tests/core/gpt/training_digest.h"

EMSCRIPTEN_BINDINGS(training_digest) {
  emscripten::function("digest", &attn::training_digest_text);
}

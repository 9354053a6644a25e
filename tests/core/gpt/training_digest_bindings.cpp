#include <emscripten/bind.h>

#include "tests/core/gpt/training_digest.h"

EMSCRIPTEN_BINDINGS(training_digest) {
  emscripten::function("digest",
                       emscripten::optional_override([] { return attn::training_digest_text(1); }));
}

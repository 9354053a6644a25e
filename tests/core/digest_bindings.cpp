#include <emscripten/bind.h>

#include "tests/core/digest.h"

EMSCRIPTEN_BINDINGS(digest) { emscripten::function("digest", &attn::core_digest_text); }

// The trace of attention as JavaScript gets it; several modules return one.
#pragma once

#include <emscripten/bind.h>

#include "core/attention.h"

namespace attn::wasm {

/// Each module that returns an AttentionTrace calls this once in its EMSCRIPTEN_BINDINGS.
inline void describe_attention_trace() {
  emscripten::value_object<AttentionTrace>("AttentionTrace")
      .field("scores", &AttentionTrace::scores)
      .field("weights", &AttentionTrace::weights)
      .field("output", &AttentionTrace::output)
      .field("entropy", &AttentionTrace::entropy);
}

}  // namespace attn::wasm

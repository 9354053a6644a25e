#include "core/decode.h"
#include "wasm/buffer.h"

namespace attn::wasm {

Output& operator<<(Output& out, const DecodeStep& step) {
  return out << step.known << step.computed << step.repeated << step.asking << step.output;
}

namespace {

void decode_call(Input& in, Output& out) {
  const Matrix tokens = in.matrix("tokens");
  Decoder decoder;
  decoder.w_q = in.matrix("wQ");
  decoder.w_k = in.matrix("wK");
  decoder.w_v = in.matrix("wV");
  decoder.w_o = in.matrix("wO");
  decoder.heads = in.integer("heads", 1, 1 << 10);
  decoder.layers = in.integer("layers", 1, 1 << 10);
  DecodeOptions options;
  options.prompt = in.integer("prompt", 1, 1 << 20);
  options.generated = in.integer("generated", 1, 1 << 20);
  options.cached = in.flag();
  out << decode(tokens, decoder, options);
}

}  // namespace
}  // namespace attn::wasm

EMSCRIPTEN_BINDINGS(decode) { attn::wasm::define<attn::wasm::decode_call>("decode"); }

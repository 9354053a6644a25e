#include "core/decode.h"
#include "wasm/function.h"

EMSCRIPTEN_BINDINGS(decode) {
  using namespace attn;
  using namespace attn::wasm;
  using emscripten::value_object;
  value_object<Decoder>("Decoder")
      .field("wQ", &Decoder::w_q)
      .field("wK", &Decoder::w_k)
      .field("wV", &Decoder::w_v)
      .field("wO", &Decoder::w_o)
      .field("heads", &Decoder::heads)
      .field("layers", &Decoder::layers);
  value_object<DecodeOptions>("DecodeOptions")
      .field("prompt", &DecodeOptions::prompt)
      .field("generated", &DecodeOptions::generated)
      .field("cached", &DecodeOptions::cached);
  value_object<DecodeStep>("DecodeStep")
      .field("known", &DecodeStep::known)
      .field("computed", &DecodeStep::computed)
      .field("repeated", &DecodeStep::repeated)
      .field("asking", &DecodeStep::asking)
      .field("output", &DecodeStep::output);
  bind<&decode>("decode");
}

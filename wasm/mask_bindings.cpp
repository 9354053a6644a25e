#include "core/mask.h"
#include "core/masked_weights.h"
#include "wasm/buffer.h"

namespace attn::wasm {
namespace {

void past_mask_call(Input& in, Output& out) {
  PastRules rules;
  rules.sequence = in.integers("sequence", kPadding, 1 << 20);
  rules.window = in.integer("window", 1, 1 << 20);
  rules.inside_sequence = in.flag();
  rules.padding_asks = in.flag();
  const Matrix mask = past_mask(rules);
  out << (in.flag() ? inverted(mask) : mask);
}

void masked_weights_call(Input& in, Output& out) {
  const Matrix scores = in.matrix("scores"), mask = in.matrix("mask");
  const auto masking = static_cast<Masking>(in.integer("masking", 0, 4));
  const auto empty_row = static_cast<EmptyRow>(in.integer("emptyRow", 0, 2));
  const MaskedTrace trace = masked_weights(scores, mask, masking, empty_row);
  out << trace.visible << trace.scores << trace.weights << trace.defined << trace.row_sums
      << trace.hidden_shares;
}

}  // namespace
}  // namespace attn::wasm

EMSCRIPTEN_BINDINGS(mask) {
  attn::wasm::define<attn::wasm::past_mask_call>("pastMask");
  attn::wasm::define<attn::wasm::masked_weights_call>("maskedWeights");
}

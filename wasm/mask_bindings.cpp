#include "core/mask.h"
#include "core/masked_weights.h"
#include "wasm/buffer.h"

namespace attn::wasm {

Output& operator<<(Output& out, const MaskedRow& row) {
  return out << row.visible << row.defined << row.sum << row.hidden_share;
}

namespace {

void past_mask_call(Input& in, Output& out) {
  PastRules rules;
  rules.sequence = in.integers("sequence", kPadding, 1 << 20);
  rules.window = in.integer("window", 1, 1 << 20);
  rules.inside_sequence = in.flag();
  rules.padding_asks = in.flag();
  rules.inverted = in.flag();
  out << past_mask(rules);
}

void masked_weights_call(Input& in, Output& out) {
  const Matrix scores = in.matrix("scores"), mask = in.matrix("mask");
  const auto masking = static_cast<Masking>(in.integer("masking", 0, 4));
  const auto empty_row = static_cast<EmptyRow>(in.integer("emptyRow", 0, 2));
  const MaskedTrace trace = masked_weights(scores, mask, masking, empty_row);
  out << trace.scores << trace.weights << trace.rows;
}

}  // namespace
}  // namespace attn::wasm

ATTN_EXPORT(pastMask, attn::wasm::past_mask_call)
ATTN_EXPORT(maskedWeights, attn::wasm::masked_weights_call)

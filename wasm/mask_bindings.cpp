#include "core/mask.h"
#include "core/masked_weights.h"
#include "wasm/convert.h"

namespace attn::wasm {
namespace {

val past_mask_in_js(const val& rules) {
  return guarded([&]() -> val {
    const Fields fields(rules);
    PastRules past;
    past.sequence = fields.integers("sequence", kPadding, 1 << 20);
    past.window = fields.integer("window", 1, 1 << 20);
    past.inside_sequence = fields.flag("insideSequence");
    past.padding_asks = fields.flag("paddingAsks");
    const Matrix mask = past_mask(past);
    return to_js(fields.flag("inverted") ? inverted(mask) : mask);
  });
}

val masked_weights_in_js(const val& scores, const val& mask, const val& options) {
  return guarded([&]() -> val {
    const Fields fields(options);
    const int masking = fields.choice("masking", {"infinity", "zero", "after", "bfloat16", "float16"});
    const int empty_row = fields.choice("emptyRow", {"zero", "self", "mean"});
    const MaskedTrace trace =
        masked_weights(matrix_from(scores, "scores"), matrix_from(mask, "mask"),
                       static_cast<Masking>(masking), static_cast<EmptyRow>(empty_row));
    Array visible;
    for (const int count : trace.visible) visible.push(val(count));
    Array defined;
    for (const bool row : trace.defined) defined.push(val(row));
    return Object()
        .value("visible", visible)
        .matrix("scores", trace.scores)
        .matrix("weights", trace.weights)
        .value("defined", defined)
        .numbers("rowSums", trace.row_sums)
        .numbers("hiddenShares", trace.hidden_shares);
  });
}

}  // namespace
}  // namespace attn::wasm

EMSCRIPTEN_BINDINGS(mask) {
  emscripten::function("pastMask", &attn::wasm::past_mask_in_js);
  emscripten::function("maskedWeights", &attn::wasm::masked_weights_in_js);
}

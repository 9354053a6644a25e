#include "core/mask.h"
#include "core/masked_weights.h"
#include "wasm/function.h"

namespace attn::wasm {
namespace {

struct MaskingOptions {
  Masking masking = Masking::kInfinity;
  EmptyRow empty_row = EmptyRow::kZero;
};

MaskedTrace masked(const Matrix& scores, const Matrix& mask, const MaskingOptions& options) {
  return masked_weights(scores, mask, options.masking, options.empty_row);
}

}  // namespace
}  // namespace attn::wasm

EMSCRIPTEN_BINDINGS(mask) {
  using namespace attn;
  using namespace attn::wasm;
  using emscripten::value_object;
  value_object<PastRules>("PastRules")
      .field("sequence", &PastRules::sequence)
      .field("window", &PastRules::window)
      .field("insideSequence", &PastRules::inside_sequence)
      .field("paddingAsks", &PastRules::padding_asks)
      .field("inverted", &PastRules::inverted);
  value_object<MaskedRow>("MaskedRow")
      .field("visible", &MaskedRow::visible)
      .field("defined", &MaskedRow::defined)
      .field("sum", &MaskedRow::sum)
      .field("hiddenShare", &MaskedRow::hidden_share);
  value_object<MaskedTrace>("MaskedTrace")
      .field("scores", &MaskedTrace::scores)
      .field("weights", &MaskedTrace::weights)
      .field("rows", &MaskedTrace::rows);
  value_object<MaskingOptions>("MaskingOptions")
      .field("masking", &MaskingOptions::masking)
      .field("emptyRow", &MaskingOptions::empty_row);
  bind<&past_mask>("pastMask");
  bind<&masked>("maskedWeights");
}

#include "core/attention.h"
#include "core/mask.h"
#include "core/multi_head.h"
#include "wasm/convert.h"

namespace attn::wasm {
namespace {

/// 'none', 'causal', 'self', or a matrix.
Matrix mask_from(const val& value, const Matrix& q, const Matrix& k) {
  if (!value.isString()) return matrix_from(value, "mask");
  switch (choice_from(value, "mask", {"none", "causal", "self"})) {
    case 0:
      return no_mask(q.rows(), k.rows());
    case 1:
      return causal_mask(q.rows());
    default:
      return self_mask(q.rows());
  }
}

struct Arguments {
  Matrix q, k, v, mask;
  bool scaled;
};

Arguments arguments_from(const val& q, const val& k, const val& v, const Fields& options) {
  Arguments arguments{matrix_from(q, "q"), matrix_from(k, "k"), matrix_from(v, "v"), {}, false};
  arguments.mask = mask_from(options.get("mask"), arguments.q, arguments.k);
  arguments.scaled = options.flag("scaled");
  return arguments;
}

val trace_to_js(const AttentionTrace& trace) noexcept {
  return Object()
      .matrix("scores", trace.scores)
      .matrix("weights", trace.weights)
      .matrix("output", trace.output)
      .numbers("entropy", trace.entropy);
}

val attention_in_js(const val& q, const val& k, const val& v, const val& options) {
  return guarded([&] {
    const Arguments a = arguments_from(q, k, v, Fields(options));
    return trace_to_js(attention(a.q, a.k, a.v, a.mask, a.scaled));
  });
}

val multi_head_in_js(const val& q, const val& k, const val& v, const val& options) {
  return guarded([&]() -> val {
    const Fields fields(options);
    const Arguments a = arguments_from(q, k, v, fields);
    const MultiHeadTrace trace =
        multi_head_attention(a.q, a.k, a.v, a.mask, fields.integer("heads", 1, 1 << 20), a.scaled);
    Array heads;
    for (const AttentionTrace& head : trace.heads) heads.push(trace_to_js(head));
    return Object().value("heads", heads).matrix("output", trace.output);
  });
}

}  // namespace
}  // namespace attn::wasm

EMSCRIPTEN_BINDINGS(attention) {
  emscripten::function("attention", &attn::wasm::attention_in_js);
  emscripten::function("multiHead", &attn::wasm::multi_head_in_js);
}

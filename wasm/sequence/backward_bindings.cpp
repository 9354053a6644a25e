#include "core/backward.h"
#include "core/mask.h"
#include "wasm/attention_trace.h"
#include "wasm/function.h"

namespace attn::wasm {
namespace {

/// The way back, and the same gradients measured.
struct Backward {
  BackwardTrace trace;
  GradientCheck check;
};

Backward backward(const Matrix& q, const Matrix& k, const Matrix& v, const Matrix& d_output,
                  LeftOut left_out) {
  const Matrix mask = no_mask(q.rows(), k.rows());
  Backward result;
  result.trace = attention_backward(q, k, v, mask, true, d_output, left_out);
  result.check = check_gradients(q, k, v, mask, true, d_output, result.trace);
  return result;
}

}  // namespace
}  // namespace attn::wasm

EMSCRIPTEN_BINDINGS(backward) {
  using namespace attn;
  using namespace attn::wasm;
  using emscripten::value_object;
  describe_attention_trace();
  value_object<BackwardTrace>("BackwardTrace")
      .field("forward", &BackwardTrace::forward)
      .field("dValues", &BackwardTrace::d_values)
      .field("dWeights", &BackwardTrace::d_weights)
      .field("rowDots", &BackwardTrace::row_dots)
      .field("dScores", &BackwardTrace::d_scores)
      .field("dQueries", &BackwardTrace::d_queries)
      .field("dKeys", &BackwardTrace::d_keys);
  value_object<GradientCheck>("GradientCheck")
      .field("dQueries", &GradientCheck::d_queries)
      .field("dKeys", &GradientCheck::d_keys)
      .field("dValues", &GradientCheck::d_values)
      .field("queriesError", &GradientCheck::queries_error)
      .field("keysError", &GradientCheck::keys_error)
      .field("valuesError", &GradientCheck::values_error)
      .field("step", &GradientCheck::step)
      .field("tolerance", &GradientCheck::tolerance);
  value_object<Backward>("Backward")
      .field("trace", &Backward::trace)
      .field("check", &Backward::check);
  bind<&backward>("backward");
}

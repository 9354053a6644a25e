#include "core/sink.h"
#include "wasm/buffer.h"

namespace attn::wasm {
namespace {

void softmax_with_sink_call(Input& in, Output& out) {
  const std::span<const double> scores = in.numbers();
  const double sink = in.number();
  const SinkTrace trace = softmax_with_sink(scores, sink, in.number());
  out << trace.weights << trace.sink_weight << trace.total << trace.taken << trace.taken_total
      << trace.slope;
}

}  // namespace
}  // namespace attn::wasm

EMSCRIPTEN_BINDINGS(sink) {
  attn::wasm::define<attn::wasm::softmax_with_sink_call>("softmaxWithSink");
}

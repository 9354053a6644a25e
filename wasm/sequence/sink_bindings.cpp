#include "core/sink.h"
#include "wasm/function.h"

namespace attn::wasm {
namespace {

struct SinkOptions {
  double sink = 0;
  double gate = 1;
};

SinkTrace with_sink(std::span<const double> scores, const SinkOptions& options) {
  return softmax_with_sink(scores, options.sink, options.gate);
}

}  // namespace
}  // namespace attn::wasm

EMSCRIPTEN_BINDINGS(sink) {
  using namespace attn;
  using namespace attn::wasm;
  using emscripten::value_object;
  value_object<SinkTrace>("SinkTrace")
      .field("weights", &SinkTrace::weights)
      .field("sinkWeight", &SinkTrace::sink_weight)
      .field("total", &SinkTrace::total)
      .field("taken", &SinkTrace::taken)
      .field("takenTotal", &SinkTrace::taken_total)
      .field("slope", &SinkTrace::slope);
  value_object<SinkOptions>("SinkOptions")
      .field("sink", &SinkOptions::sink)
      .field("gate", &SinkOptions::gate);
  bind<&with_sink>("softmaxWithSink");
}

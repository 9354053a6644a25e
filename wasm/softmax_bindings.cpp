#include "core/softmax.h"
#include "wasm/buffer.h"

namespace attn::wasm {
Output& operator<<(Output& out, Status status) { return out << static_cast<int>(status); }

Output& operator<<(Output& out, const Entry& entry) { return out << entry.value << entry.status; }

namespace {

void weigh_call(Input& in, Output& out) {
  const std::span<const double> scores = in.numbers();
  WeighOptions options;
  options.method = static_cast<Method>(in.integer("method", 0, 2));
  options.temperature = in.number();
  options.offset = in.number();
  options.precision = static_cast<Precision>(in.integer("precision", 0, 1));
  options.stable = in.flag();
  const WeighTrace trace = weigh(scores, options);
  out << trace.scores << trace.shift << trace.shifted << trace.parts << trace.sum << trace.weights
      << trace.defined << trace.valid << trace.entropy << trace.max_weight << trace.jacobian_norm;
}

}  // namespace
}  // namespace attn::wasm

ATTN_EXPORT(weigh, attn::wasm::weigh_call)

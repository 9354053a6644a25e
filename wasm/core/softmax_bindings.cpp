#include "core/softmax.h"
#include "wasm/function.h"

namespace attn::wasm {
namespace {

WeighOptions weigh_defaults() { return {}; }

}  // namespace
}  // namespace attn::wasm

EMSCRIPTEN_BINDINGS(softmax) {
  using namespace attn;
  using namespace attn::wasm;
  using emscripten::value_object;
  value_object<WeighOptions>("WeighOptions")
      .field("method", &WeighOptions::method)
      .field("temperature", &WeighOptions::temperature)
      .field("offset", &WeighOptions::offset)
      .field("precision", &WeighOptions::precision)
      .field("stable", &WeighOptions::stable);
  value_object<Entry>("Entry").field("value", &Entry::value).field("status", &Entry::status);
  value_object<WeighTrace>("WeighTrace")
      .field("scores", &WeighTrace::scores)
      .field("shift", &WeighTrace::shift)
      .field("shifted", &WeighTrace::shifted)
      .field("parts", &WeighTrace::parts)
      .field("sum", &WeighTrace::sum)
      .field("weights", &WeighTrace::weights)
      .field("defined", &WeighTrace::defined)
      .field("valid", &WeighTrace::valid)
      .field("entropy", &WeighTrace::entropy)
      .field("maxWeight", &WeighTrace::max_weight)
      .field("jacobianNorm", &WeighTrace::jacobian_norm);
  bind<&weigh>("weigh");
  bind<&weigh_defaults>("weighDefaults");
}

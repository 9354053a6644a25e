#include "core/recurrence.h"
#include "wasm/function.h"

namespace attn::wasm {
namespace {

struct RecurrentWeights {
  Matrix input, state;
};

Recurrence walk(const Matrix& x, const RecurrentWeights& weights) {
  return recurrence(x, weights.input, weights.state);
}

}  // namespace
}  // namespace attn::wasm

EMSCRIPTEN_BINDINGS(recurrence) {
  using namespace attn;
  using namespace attn::wasm;
  using emscripten::value_object;
  value_object<Recurrence>("Recurrence")
      .field("states", &Recurrence::states)
      .field("reach", &Recurrence::reach);
  value_object<SerialCost>("SerialCost")
      .field("steps", &SerialCost::steps)
      .field("updates", &SerialCost::updates)
      .field("left", &SerialCost::left);
  value_object<RecurrentWeights>("RecurrentWeights")
      .field("input", &RecurrentWeights::input)
      .field("state", &RecurrentWeights::state);
  bind<&walk>("recurrence");
  bind<&serial_cost>("serialCost");
}

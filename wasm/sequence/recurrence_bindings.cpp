#include "core/recurrence.h"
#include "wasm/buffer.h"

namespace attn::wasm {
namespace {

void recurrence_call(Input& in, Output& out) {
  const Matrix x = in.matrix("x");
  const Matrix w_x = in.matrix("w_x");
  const Recurrence walk = recurrence(x, w_x, in.matrix("w_h"));
  out << walk.states << walk.reach;
}

void serial_cost_call(Input& in, Output& out) {
  const int length = in.integer("length", 1, 1 << 24);
  const SerialCost cost = serial_cost(length, in.number());
  out << cost.steps << cost.updates << cost.left;
}

}  // namespace
}  // namespace attn::wasm

ATTN_EXPORT(recurrence, attn::wasm::recurrence_call)
ATTN_EXPORT(serialCost, attn::wasm::serial_cost_call)

#include "core/rotary.h"
#include "wasm/buffer.h"

namespace attn::wasm {
namespace {

void rotate_call(Input& in, Output& out) {
  const Matrix x = in.matrix("x");
  const std::span<const double> positions = in.numbers();
  const int rotated = in.integer("rotated", 0, 1 << 20);
  out << rotate(x, positions, rotated, in.number());
}

}  // namespace
}  // namespace attn::wasm

ATTN_EXPORT(rotate, attn::wasm::rotate_call)

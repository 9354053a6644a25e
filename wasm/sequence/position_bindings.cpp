#include "core/normal_matrix.h"
#include "core/position_table.h"
#include "core/product.h"
#include "core/sinusoidal.h"
#include "wasm/buffer.h"

namespace attn::wasm {
namespace {

void add_sinusoidal_call(Input& in, Output& out) {
  const Matrix x = in.matrix("x");
  const std::span<const double> positions = in.numbers();
  out << add_sinusoidal(x, positions, in.number());
}

void wavelengths_call(Input& in, Output& out) {
  const int d = in.integer("d", 2, 1 << 20);
  out << wavelengths(d, in.number());
}

void add_table_rows_call(Input& in, Output& out) {
  const Matrix x = in.matrix("x");
  const Matrix table = in.matrix("table");
  out << add_table_rows(x, table, in.numbers());
}

void normal_matrix_call(Input& in, Output& out) {
  const int rows = in.integer("rows", 1, 1 << 16);
  const int cols = in.integer("cols", 1, 1 << 16);
  const double std = in.number();
  const std::uint64_t seed = in.seed();
  out << normal_matrix(rows, cols, std, seed,
                       static_cast<std::uint64_t>(in.integer("stream", 0, 1 << 30)));
}

void row_products_call(Input& in, Output& out) {
  const Matrix q = in.matrix("q");
  out << row_products(q, in.matrix("k"));
}

}  // namespace
}  // namespace attn::wasm

ATTN_EXPORT(addSinusoidal, attn::wasm::add_sinusoidal_call)
ATTN_EXPORT(wavelengths, attn::wasm::wavelengths_call)
ATTN_EXPORT(addTableRows, attn::wasm::add_table_rows_call)
ATTN_EXPORT(normalMatrix, attn::wasm::normal_matrix_call)
ATTN_EXPORT(rowProducts, attn::wasm::row_products_call)

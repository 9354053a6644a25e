#include "core/gpt/gemm.h"

#include <algorithm>
#include <cstring>
#include <vector>

namespace attn {
namespace {

// The tile that fits the registers: 4 × 8 floats for 16 registers of 16 bytes (SSE2, and
// WebAssembly in V8); 6 × 16 for 16 registers of 32 bytes.
#if defined(__AVX__)
constexpr int kVectorBytes = 32;
constexpr int kTileRows = 6;
#else
constexpr int kVectorBytes = 16;
constexpr int kTileRows = 4;
#endif
constexpr int kTileVectors = 2;

constexpr int kDepth = 256;                 // of a block of k; part of the definition of the result
constexpr int kBlockRows = kTileRows * 20;  // rows of a that are packed at once, for the L2 cache
constexpr int kBlockCols = 1280;

template <class T>
struct VectorOf {
  typedef T type __attribute__((vector_size(kVectorBytes)));
};

template <class T>
constexpr int kWidth = kVectorBytes / static_cast<int>(sizeof(T));
template <class T>
constexpr int kTileCols = kTileVectors* kWidth<T>;

/// c (kTileRows × kTileCols) = strip · panel, both packed: a strip holds kTileRows numbers for each
/// of `depth` steps, a panel kTileCols.
template <class T>
void tile(int depth, const T* __restrict a, const T* __restrict b, T* __restrict c,
          std::ptrdiff_t c_row, bool add) {
  using V = typename VectorOf<T>::type;
  // Started at zero and added to c afterwards: loading c first halves the speed in V8.
  V sums[kTileRows][kTileVectors] = {};
  for (int p = 0; p < depth; ++p) {
    V right[kTileVectors];
#pragma GCC unroll 8
    for (int j = 0; j < kTileVectors; ++j) std::memcpy(&right[j], b + j * kWidth<T>, sizeof(V));
#pragma GCC unroll 8
    for (int i = 0; i < kTileRows; ++i) {
#pragma GCC unroll 8
      for (int j = 0; j < kTileVectors; ++j) sums[i][j] += a[i] * right[j];
    }
    a += kTileRows;
    b += kTileCols<T>;
  }
#pragma GCC unroll 8
  for (int i = 0; i < kTileRows; ++i) {
#pragma GCC unroll 8
    for (int j = 0; j < kTileVectors; ++j) {
      T* to = c + i * c_row + j * kWidth<T>;
      V sum = sums[i][j];
      if (add) {
        V old;
        std::memcpy(&old, to, sizeof(V));
        sum = old + sum;
      }
      std::memcpy(to, &sum, sizeof(V));
    }
  }
}

/// The same at an edge of c: only rows × cols of the tile exist.
template <class T>
void edge_tile(int depth, const T* a, const T* b, T* c, std::ptrdiff_t c_row, bool add, int rows,
               int cols) {
  T whole[kTileRows * kTileCols<T>];
  tile<T>(depth, a, b, whole, kTileCols<T>, false);
  for (int i = 0; i < rows; ++i) {
    for (int j = 0; j < cols; ++j) {
      T& to = c[i * c_row + j];
      const T sum = whole[i * kTileCols<T> + j];
      to = add ? to + sum : sum;
    }
  }
}

/// Four lines of four numbers, turned: to[p · Strip + j] = from[j · line + p].
template <int Strip, class T>
inline void turn(const T* from, std::ptrdiff_t line, T* to) {
  typedef T V __attribute__((vector_size(4 * sizeof(T))));
  V in[4];
  for (int j = 0; j < 4; ++j) std::memcpy(&in[j], from + j * line, sizeof(V));
  const V low01 = __builtin_shufflevector(in[0], in[1], 0, 4, 1, 5);
  const V low23 = __builtin_shufflevector(in[2], in[3], 0, 4, 1, 5);
  const V high01 = __builtin_shufflevector(in[0], in[1], 2, 6, 3, 7);
  const V high23 = __builtin_shufflevector(in[2], in[3], 2, 6, 3, 7);
  const V out[4] = {__builtin_shufflevector(low01, low23, 0, 1, 4, 5),
                    __builtin_shufflevector(low01, low23, 2, 3, 6, 7),
                    __builtin_shufflevector(high01, high23, 0, 1, 4, 5),
                    __builtin_shufflevector(high01, high23, 2, 3, 6, 7)};
  for (int p = 0; p < 4; ++p) std::memcpy(to + p * Strip, &out[p], sizeof(V));
}

/// Packs `count` lines of `depth` numbers into strips of `Strip` lines, step by step; lines missing
/// in the last strip are zero. Line i, step p stands at from[i · line + p · step].
template <int Strip, class T>
void pack(const T* from, int count, int depth, std::ptrdiff_t line, std::ptrdiff_t step, T* to) {
  for (int i = 0; i < count; i += Strip, to += Strip * depth) {
    const T* first = from + i * line;
    const int lines = std::min(Strip, count - i);
    if (lines < Strip) std::fill_n(to, Strip * depth, T(0));
    if (lines == Strip && line == 1) {
      for (int p = 0; p < depth; ++p) {
        std::memcpy(to + p * Strip, first + p * step, Strip * sizeof(T));
      }
      continue;
    }
    // If the steps of a line lie side by side, blocks of 4 × 4 are transposed in registers.
    const int turned_lines = step == 1 ? lines / 4 * 4 : 0;
    const int turned_steps = turned_lines > 0 ? depth / 4 * 4 : 0;
    for (int p = 0; p < turned_steps; p += 4) {
      for (int j = 0; j < turned_lines; j += 4) {
        turn<Strip>(first + j * line + p, line, to + p * Strip + j);
      }
      for (int q = p; q < p + 4; ++q) {
        for (int j = turned_lines; j < lines; ++j) to[q * Strip + j] = first[j * line + q];
      }
    }
    for (int p = turned_steps; p < depth; ++p) {
      for (int j = 0; j < lines; ++j) to[p * Strip + j] = first[j * line + p * step];
    }
  }
}

int round_up(int n, int multiple) { return (n + multiple - 1) / multiple * multiple; }

/// The buffer, grown to at least `size`. It never shrinks.
template <class T>
T* room(std::vector<T>& buffer, int size) {
  if (buffer.size() < static_cast<std::size_t>(size)) buffer.resize(static_cast<std::size_t>(size));
  return buffer.data();
}

}  // namespace

template <class T>
void multiply(int m, int n, int k, View<T> a, View<T> b, T* c, std::ptrdiff_t c_row, bool add,
              Causal causal) {
  thread_local std::vector<T> strips_room, panels_room;
  const int most_depth = std::min(k, kDepth);
  T* strips = room(strips_room, round_up(std::min(m, kBlockRows), kTileRows) * most_depth);
  T* panels = room(panels_room, round_up(std::min(n, kBlockCols), kTileCols<T>) * most_depth);

  for (int col = 0; col < n; col += kBlockCols) {
    const int cols = std::min(kBlockCols, n - col);
    for (int start = 0; start < k; start += kDepth) {
      const int depth = std::min(kDepth, k - start);
      const bool add_here = add || start > 0;
      pack<kTileCols<T>>(b.data + start * b.row + col * b.col, cols, depth, b.col, b.row, panels);
      for (int row = 0; row < m; row += kBlockRows) {
        const int rows = std::min(kBlockRows, m - row);
        pack<kTileRows>(a.data + row * a.row + start * a.col, rows, depth, a.row, a.col, strips);
        for (int j = 0; j < cols; j += kTileCols<T>) {
          const T* panel = panels + j * depth;
          const int cols_here = std::min(kTileCols<T>, cols - j);
          for (int i = 0; i < rows; i += kTileRows) {
            const T* strip = strips + i * depth;
            const int rows_here = std::min(kTileRows, rows - i);
            const int first_row = row + i, last_row = first_row + rows_here - 1;
            if (causal == Causal::kLowerResult && col + j > last_row) continue;
            // All other steps of this block add zeros and are left out.
            int begin = 0, end = depth;
            if (causal == Causal::kLowerLeft) end = std::clamp(last_row + 1 - start, 0, depth);
            if (causal == Causal::kUpperLeft) begin = std::clamp(first_row - start, 0, depth);
            T* to = c + first_row * c_row + col + j;
            const T* from_a = strip + begin * kTileRows;
            const T* from_b = panel + begin * kTileCols<T>;
            if (rows_here == kTileRows && cols_here == kTileCols<T>) {
              tile<T>(end - begin, from_a, from_b, to, c_row, add_here);
            } else {
              edge_tile<T>(end - begin, from_a, from_b, to, c_row, add_here, rows_here, cols_here);
            }
          }
        }
      }
    }
  }
}

template void multiply<float>(int, int, int, View<float>, View<float>, float*, std::ptrdiff_t, bool,
                              Causal);
template void multiply<double>(int, int, int, View<double>, View<double>, double*, std::ptrdiff_t,
                               bool, Causal);

}  // namespace attn

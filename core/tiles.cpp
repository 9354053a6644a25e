#include "core/tiles.h"

#include <algorithm>
#include <cmath>

#include "core/attention.h"
#include "core/check.h"
#include "core/mask.h"
#include "core/math.h"
#include "core/normal_matrix.h"
#include "core/product.h"

namespace attn {
namespace {

/// A block of queries on its way over the keys.
struct Running {
  std::vector<double> max, sum;
  Matrix weighted;  // Σ e^(s − m) v
};

/// Expresses the sums of a query by a maximum that is not smaller.
void shrink(Running& state, Eigen::Index row, double max) {
  const auto at = static_cast<std::size_t>(row);
  const double factor = state.sum[at] == 0 ? 0 : exp(state.max[at] - max);
  state.sum[at] *= factor;
  state.weighted.row(row) *= factor;
  state.max[at] = max;
}

int visible(const Matrix& mask, const Tile& tile) {
  const auto part = mask.block(tile.query_begin, tile.key_begin, tile.query_end - tile.query_begin,
                               tile.key_end - tile.key_begin);
  return static_cast<int>((part.array() == 0).count());
}

/// Fills the tile's terms and takes them, with their values, into the sums.
void add_tile(Tile& tile, Running& state, const Matrix& q, const Matrix& k, const Matrix& v,
              const Matrix& mask) {
  const int queries = tile.query_end - tile.query_begin;
  const int keys = tile.key_end - tile.key_begin;
  const Matrix scores = product(q.middleRows(tile.query_begin, queries),
                                k.middleRows(tile.key_begin, keys).transpose()) /
                        std::sqrt(static_cast<double>(q.cols()));
  for (int i = 0; i < queries; ++i) {
    const auto row = mask.row(tile.query_begin + i).segment(tile.key_begin, keys);
    double max = 0;
    bool any = false;
    for (int j = 0; j < keys; ++j) {
      if (row(j) != 0) continue;
      max = any ? std::max(max, scores(i, j)) : scores(i, j);
      any = true;
    }
    if (!any) continue;
    const auto at = static_cast<std::size_t>(i);
    shrink(state, i, state.sum[at] == 0 ? max : std::max(state.max[at], max));
    for (int j = 0; j < keys; ++j) {
      if (row(j) != 0) continue;
      tile.terms(i, j) = exp(scores(i, j) - state.max[at]);
      state.sum[at] += tile.terms(i, j);
      state.weighted.row(i) += tile.terms(i, j) * v.row(tile.key_begin + j);
    }
  }
}

}  // namespace

TiledTrace tiled_attention(const Matrix& q, const Matrix& k, const Matrix& v, const Matrix& mask,
                           int block) {
  if (block < 1) refuse("block", "at least 1", text_of(block));
  if (q.cols() != k.cols()) refuse("q and k", "equal widths", text_of(q.cols()));
  if (k.rows() != v.rows()) refuse("k and v", "as many rows", text_of(v.rows()));
  require_mask(mask, q.rows(), k.rows());
  const int t_q = static_cast<int>(q.rows()), t_k = static_cast<int>(k.rows());
  TiledTrace trace;
  trace.output = Matrix::Zero(t_q, v.cols());
  const int queries_most = std::min(block, t_q), keys_most = std::min(block, t_k);
  trace.held = queries_most * static_cast<int>(q.cols() + v.cols() + 2) +
               keys_most * static_cast<int>(k.cols() + v.cols()) + queries_most * keys_most;
  for (int from = 0; from < t_q; from += block) {
    const int to = std::min(from + block, t_q), queries = to - from;
    const auto count = static_cast<std::size_t>(queries);
    Running state{std::vector<double>(count), std::vector<double>(count),
                  Matrix::Zero(queries, v.cols())};
    for (int key = 0; key < t_k; key += block) {
      Tile tile;
      tile.query_begin = from;
      tile.query_end = to;
      tile.key_begin = key;
      tile.key_end = std::min(key + block, t_k);
      tile.pairs = visible(mask, tile);
      tile.terms = Matrix::Zero(queries, tile.key_end - key);
      tile.before = state.max;
      if (tile.pairs > 0) add_tile(tile, state, q, k, v, mask);
      tile.max = state.max;
      tile.sum = state.sum;
      tile.output = state.weighted;
      for (int i = 0; i < queries; ++i) {
        const double sum = state.sum[static_cast<std::size_t>(i)];
        if (sum > 0) tile.output.row(i) /= sum;
      }
      trace.tiles.push_back(std::move(tile));
    }
    trace.output.middleRows(from, queries) = trace.tiles.back().output;
  }
  return trace;
}

TileWalk tile_walk(const TileOptions& options) {
  const auto drawn = [&](std::uint64_t stream) {
    return normal_matrix(options.n, options.d, 1, options.seed, stream);
  };
  const Matrix q = drawn(1), k = drawn(2), v = drawn(3);
  TileWalk walk;
  walk.mask = sparse_mask(options.n, options.rule);
  walk.trace = tiled_attention(q, k, v, walk.mask, options.block);
  walk.output = attention(q, k, v, walk.mask, true).output;
  walk.difference = (walk.trace.output - walk.output).cwiseAbs().maxCoeff();
  return walk;
}

}  // namespace attn

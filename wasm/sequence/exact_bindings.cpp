#include "core/online_softmax.h"
#include "core/sparse.h"
#include "core/tiles.h"
#include "core/traffic.h"
#include "wasm/function.h"

namespace attn::wasm {
namespace {

double visible_pairs(int n, const SparseRule& rule) {
  return static_cast<double>(sparse_pairs(n, rule));
}

}  // namespace
}  // namespace attn::wasm

EMSCRIPTEN_BINDINGS(exact) {
  using namespace attn;
  using namespace attn::wasm;
  using emscripten::value_object;
  value_object<OnlineBlock>("OnlineBlock")
      .field("begin", &OnlineBlock::begin)
      .field("end", &OnlineBlock::end)
      .field("blockMax", &OnlineBlock::block_max)
      .field("max", &OnlineBlock::max)
      .field("correction", &OnlineBlock::correction)
      .field("blockSum", &OnlineBlock::block_sum)
      .field("sum", &OnlineBlock::sum);
  value_object<OnlineSoftmaxTrace>("OnlineSoftmaxTrace")
      .field("blocks", &OnlineSoftmaxTrace::blocks)
      .field("weights", &OnlineSoftmaxTrace::weights);
  value_object<TrafficOptions>("TrafficOptions")
      .field("n", &TrafficOptions::n)
      .field("d", &TrafficOptions::d)
      .field("heads", &TrafficOptions::heads)
      .field("bytesPerValue", &TrafficOptions::bytes_per_value)
      .field("block", &TrafficOptions::block)
      .field("operationsPerSecond", &TrafficOptions::operations_per_second)
      .field("bytesPerSecond", &TrafficOptions::bytes_per_second);
  value_object<Traffic>("Traffic")
      .field("operations", &Traffic::operations)
      .field("operandsBytes", &Traffic::operands_bytes)
      .field("scoresBytes", &Traffic::scores_bytes)
      .field("standardBytes", &Traffic::standard_bytes)
      .field("tiledBytes", &Traffic::tiled_bytes)
      .field("squareBytes", &Traffic::square_bytes)
      .field("arithmeticSeconds", &Traffic::arithmetic_seconds)
      .field("standardSeconds", &Traffic::standard_seconds)
      .field("tiledSeconds", &Traffic::tiled_seconds);
  value_object<SparseRule>("SparseRule")
      .field("window", &SparseRule::window)
      .field("stride", &SparseRule::stride)
      .field("global", &SparseRule::global);
  value_object<Tile>("Tile")
      .field("queryBegin", &Tile::query_begin)
      .field("queryEnd", &Tile::query_end)
      .field("keyBegin", &Tile::key_begin)
      .field("keyEnd", &Tile::key_end)
      .field("pairs", &Tile::pairs)
      .field("terms", &Tile::terms)
      .field("before", &Tile::before)
      .field("max", &Tile::max)
      .field("sum", &Tile::sum)
      .field("output", &Tile::output);
  value_object<TiledTrace>("TiledTrace")
      .field("tiles", &TiledTrace::tiles)
      .field("output", &TiledTrace::output)
      .field("held", &TiledTrace::held);
  value_object<TileOptions>("TileOptions")
      .field("n", &TileOptions::n)
      .field("d", &TileOptions::d)
      .field("block", &TileOptions::block)
      .field("rule", &TileOptions::rule)
      .field("seed", &TileOptions::seed);
  value_object<TileWalk>("TileWalk")
      .field("trace", &TileWalk::trace)
      .field("mask", &TileWalk::mask)
      .field("output", &TileWalk::output)
      .field("difference", &TileWalk::difference);
  bind<&tile_walk>("tileWalk");
  bind<&online_softmax>("onlineSoftmax");
  bind<&attention_traffic>("attentionTraffic");
  bind<&visible_pairs>("sparsePairs");
}

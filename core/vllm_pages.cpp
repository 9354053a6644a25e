#include "core/vllm_pages.h"

#include <algorithm>

#include "core/reserved_bytes.h"

namespace attn {
namespace {

constexpr std::int64_t kBlock = 16;   // tokens, unless states need more
constexpr std::int64_t kStep = 2048;  // tokens that one step of the scheduler may add

/// One kind of layer as the pool sees it.
struct Bucket {
  std::size_t kind = 0;      // index into the layout
  std::int64_t layers = 0;   // of the model
  std::int64_t token = 0;    // bytes of a token in one layer; 0 for a state
  std::int64_t block = 0;    // tokens of a page; 0 for a state
  std::int64_t page = 0;     // bytes of a page
  std::int64_t padding = 0;  // layers
};

bool is_full(CacheKind kind) {
  return kind == CacheKind::full || kind == CacheKind::latent || kind == CacheKind::index;
}

/// The bytes that one layer keeps whatever the length: its state and its convolution's tail.
std::int64_t state_bytes_of_layer(const CacheLayout& layout) {
  std::int64_t bytes = 0;
  for (const LayerKind& kind : layout) {
    if (has_state(kind.kind)) bytes = plus(bytes, kind.state_bytes);
  }
  return bytes;
}

/// The entry that stands for layers with a state; their convolution's tail lies in the same page.
CacheKind main_state(const CacheLayout& layout) {
  const bool recurrent = std::any_of(layout.begin(), layout.end(), [](const LayerKind& kind) {
    return kind.kind == CacheKind::state;
  });
  return recurrent ? CacheKind::state : CacheKind::convolution;
}

std::int64_t token_bytes(LayerKind kind, const CacheQuery& query) {
  kind.layers = 1;
  if (kind.kind != CacheKind::cross) return bytes_of(kind, query, 1);
  kind.window = 1;
  return bytes_of(kind, query, 0);
}

std::vector<Bucket> buckets_of(const CacheLayout& layout, const CacheQuery& query) {
  const CacheKind state = main_state(layout);
  std::vector<Bucket> buckets;
  for (std::size_t i = 0; i < layout.size(); i++) {
    const LayerKind& kind = layout[i];
    if (has_kv_heads(kind.kind) || is_full(kind.kind)) {
      buckets.push_back({.kind = i, .layers = kind.layers, .token = token_bytes(kind, query)});
    } else if (kind.kind == state) {
      buckets.push_back({.kind = i, .layers = kind.layers});
    }
  }
  return buckets;
}

/// Gives attention blocks so many tokens that a page holds a layer's state too.
std::int64_t block_for_state(const std::vector<Bucket>& buckets, std::int64_t state) {
  std::int64_t token = 0;
  for (const Bucket& bucket : buckets) token = std::max(token, bucket.token);
  if (state == 0 || token == 0) return kBlock;
  return times(kBlock, blocks_for(state, times(kBlock, token)));
}

/// Layers that need no common page: those of one kind, or full ones of whatever size.
bool is_one_group(const CacheLayout& layout, const std::vector<Bucket>& buckets) {
  if (buckets.size() <= 1) return true;
  const auto kind_of = [&](const Bucket& bucket) -> const LayerKind& {
    return layout[bucket.kind];
  };
  const LayerKind& first = kind_of(buckets.front());
  return std::all_of(buckets.begin(), buckets.end(), [&](const Bucket& bucket) {
    const LayerKind& kind = kind_of(bucket);
    if (is_full(first.kind)) return is_full(kind.kind);
    return kind.kind == first.kind && kind.window == first.window;
  });
}

bool has_index(const CacheLayout& layout) {
  return std::any_of(layout.begin(), layout.end(),
                     [](const LayerKind& kind) { return kind.kind == CacheKind::index; });
}

/// The largest page for all: smaller ones take more tokens where the sizes divide.
void unify_pages(std::vector<Bucket>& buckets, std::int64_t largest) {
  for (Bucket& bucket : buckets) {
    if (bucket.page > 0 && largest % bucket.page == 0) bucket.block *= largest / bucket.page;
    bucket.page = largest;
  }
}

void pad_groups(std::vector<Bucket>& buckets) {
  const auto by_layers = [](const Bucket& a, const Bucket& b) { return a.layers < b.layers; };
  const auto [fewest, most] = std::minmax_element(buckets.begin(), buckets.end(), by_layers);
  const std::int64_t least = fewest->layers;
  const std::int64_t group = 2 * most->layers < 3 * least ? most->layers : least;
  if (group == 0) return;
  for (Bucket& bucket : buckets) {
    bucket.padding = blocks_for(bucket.layers, group) * group - bucket.layers;
  }
}

/// Blocks that one sequence may hold in a layer of the kind.
std::int64_t blocks_held(const LayerKind& kind, const CacheQuery& query, std::int64_t block) {
  switch (kind.kind) {
    case CacheKind::window: {
      // The window may begin inside a block.
      const std::int64_t tokens = std::min(plus(kind.window - 1, kStep), query.context);
      return tokens == 0 ? 0 : blocks_for(tokens, block) + 1;
    }
    case CacheKind::chunk:
      return blocks_for(std::min(plus(kind.window, kStep), query.context), block);
    case CacheKind::cross:
      return blocks_for(kind.window > 0 ? kind.window : query.source, block);
    default:
      return blocks_for(query.context, block);
  }
}

}  // namespace

Reservation reserve_pages(const CacheLayout& layout, const CacheQuery& query) {
  const std::int64_t state = state_bytes_of_layer(layout);
  std::vector<Bucket> buckets = buckets_of(layout, query);
  Reservation result;
  result.block = block_for_state(buckets, state);
  result.kinds.resize(layout.size());
  for (Bucket& bucket : buckets) {
    bucket.block = bucket.token > 0 ? result.block : 0;
    bucket.page = times(bucket.token, bucket.block);
    result.page_bytes = std::max(result.page_bytes, bucket.page);
  }
  if (result.page_bytes == 0) result.page_bytes = state;
  const bool one_group = is_one_group(layout, buckets);
  for (Bucket& bucket : buckets) {
    if (bucket.token == 0) bucket.page = result.page_bytes;
  }
  if (!one_group && !has_index(layout)) {
    unify_pages(buckets, result.page_bytes);
    pad_groups(buckets);
  }
  std::int64_t one = 0;
  for (const Bucket& bucket : buckets) {
    Reserved& reserved = result.kinds[bucket.kind];
    const bool pages = bucket.token > 0;
    const std::int64_t blocks = pages ? blocks_held(layout[bucket.kind], query, bucket.block) : 1;
    reserved.tokens = times(blocks, bucket.block);
    reserved.padding_layers = bucket.padding;
    reserved.bytes = times(times(bucket.layers + bucket.padding, blocks), bucket.page);
    one = plus(one, reserved.bytes);
  }
  result.total = times(one, query.batch);
  return result;
}

}  // namespace attn

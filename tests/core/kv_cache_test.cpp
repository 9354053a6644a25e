#include "core/kv_cache.h"

#include <doctest/doctest.h>

#include <cstdint>
#include <limits>
#include <stdexcept>

#include "tests/core/layer_kinds.h"

using namespace attn;

namespace {

constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();

/// Adds up the cache token by token and layer by layer: a slow, obvious version.
std::int64_t count_bytes(const CacheLayout& layout, const CacheQuery& query) {
  std::int64_t bytes = 0;
  for (std::int64_t sequence = 0; sequence < query.batch; sequence++) {
    for (const LayerKind& entry : layout) {
      for (std::int64_t layer = 0; layer < entry.layers; layer++) {
        bytes += entry.state_bytes;
        for (std::int64_t token = 0; token < query.context; token++) {
          const bool forgotten = entry.window > 0 && token + entry.window < query.context;
          if (!forgotten)
            bytes += entry.heads * (entry.k_width + entry.v_width) * query.format.bits / 8;
        }
      }
    }
  }
  return bytes;
}

}  // namespace

TEST_CASE("kv_cache: the anchor under MHA, GQA and MQA") {
  // 16 full layers of head width 256 in BF16: 16 · 2 · heads · 256 · 2 B a token.
  const CacheQuery query{.context = 262144};
  const auto mha = cache_bytes({full(16, 24, 256)}, query);
  CHECK(mha.growing_per_token == 393216);      // 384 KiB
  CHECK(mha.total == std::int64_t{96} << 30);  // 384 KiB · 2¹⁸ = 96 GiB
  const auto gqa = cache_bytes({full(16, 4, 256)}, query);
  CHECK(gqa.growing_per_token == 65536);  // 64 KiB
  CHECK(gqa.total == std::int64_t{16} << 30);
  const auto mqa = cache_bytes({full(16, 1, 256)}, query);
  CHECK(mqa.growing_per_token == 16384);  // 16 KiB
  CHECK(mqa.total == std::int64_t{4} << 30);
}

TEST_CASE("kv_cache: a state has the same size at any length, and does not count per token") {
  // 48 layers of 48 heads · 128 · 128 numbers in FP32 = 3 MiB a layer, 144 MiB in all.
  const CacheLayout layout = {
      full(16, 4, 256),
      {.kind = CacheKind::state, .layers = 48, .state_bytes = 48 * 128 * 128 * 4},
  };
  const auto empty = cache_bytes(layout, {.context = 0});
  CHECK(empty.constant == 144 << 20);
  CHECK(empty.total == 144 << 20);
  const auto longer = cache_bytes(layout, {.context = 2304});
  CHECK(longer.constant == 144 << 20);
  CHECK(longer.growing_per_token == 65536);
  CHECK(longer.total == 2 * (144 << 20));  // 2304 tokens · 64 KiB = 144 MiB
}

TEST_CASE("kv_cache: a latent vector is counted once per token") {
  // DeepSeek-V2: 60 layers · (512 + 64) · 2 B.
  const CacheLayout layout = {
      {.kind = CacheKind::latent, .layers = 60, .heads = 1, .k_width = 576}};
  CHECK(cache_bytes(layout, {.context = 1}).total == 69120);
}

TEST_CASE("kv_cache: a window grows until it is full, then stays") {
  // 12 windowed and 12 full layers, 8 heads · 128 values · 2 B: 24,576 B a token in each dozen.
  const CacheLayout layout = {window(12, 8, 64, 128), full(12, 8, 64)};
  SUBCASE("one token before the window is full, both kinds grow") {
    const auto bytes = cache_bytes(layout, {.context = 127});
    CHECK(bytes.growing_per_token == 49152);
    CHECK(bytes.within_window_per_token == 49152);
    CHECK(bytes.total == 127 * 49152);
  }
  SUBCASE("full window: the next token adds the full layers' share only") {
    const auto bytes = cache_bytes(layout, {.context = 128});
    CHECK(bytes.growing_per_token == 24576);
    CHECK(bytes.within_window_per_token == 49152);
  }
  SUBCASE("growth is the difference of neighbouring totals, everywhere") {
    for (std::int64_t context = 0; context < 300; context++) {
      const auto now = cache_bytes(layout, {.context = context});
      CHECK(cache_bytes(layout, {.context = context + 1}).total - now.total ==
            now.growing_per_token);
    }
  }
}

TEST_CASE("kv_cache: equals counting token by token") {
  const CacheLayout layout = {
      full(3, 2, 5),
      window(2, 3, 4, 7),
      {.kind = CacheKind::chunk, .layers = 2, .heads = 1, .k_width = 6, .v_width = 2, .window = 4},
      {.kind = CacheKind::latent, .layers = 1, .heads = 1, .k_width = 9},
      {.kind = CacheKind::index, .layers = 1, .heads = 1, .k_width = 3},
      {.kind = CacheKind::state, .layers = 5, .state_bytes = 11},
      {.kind = CacheKind::convolution, .layers = 5, .state_bytes = 13},
      {.kind = CacheKind::shared, .layers = 4},
      {.kind = CacheKind::none, .layers = 6},
  };
  for (const int bits : {8, 16, 32}) {
    for (const std::int64_t batch : {1, 3}) {
      for (const std::int64_t context : {0, 1, 3, 4, 6, 7, 8, 20}) {
        const CacheQuery query{.context = context, .batch = batch, .format = {.bits = bits}};
        const auto bytes = cache_bytes(layout, query);
        CHECK(bytes.total == count_bytes(layout, query));
        std::int64_t of_kinds = 0;
        for (const KindBytes& kind : bytes.kinds) of_kinds += kind.total;
        CHECK(of_kinds == bytes.total);
      }
    }
  }
}

TEST_CASE("kv_cache: a kind with its own format does not follow the query's") {
  // 61 layers of 128 index values in one byte each: 128 B a layer in any format of the cache.
  LayerKind index{.kind = CacheKind::index, .layers = 61, .heads = 1, .k_width = 128};
  CHECK(cache_bytes({index}, {.context = 1}).total == 61 * 256);
  index.own_bits = 8;
  CHECK(cache_bytes({index}, {.context = 1}).total == 61 * 128);
  CHECK(cache_bytes({index}, {.context = 1, .format = {.bits = 32}}).total == 61 * 128);
}

TEST_CASE("kv_cache: four-bit values round up to whole bytes in each layer") {
  // 3 values · 4 bits = 12 bits: 2 bytes a layer and token, 2 layers, 5 tokens.
  const CacheLayout layout = {{.kind = CacheKind::latent, .layers = 2, .heads = 1, .k_width = 3}};
  CHECK(cache_bytes(layout, {.context = 5, .format = {.bits = 4}}).total == 20);
}

TEST_CASE("kv_cache: sizes are exact up to 2^63 - 1 bytes, and more is refused") {
  // 2⁶³ − 1 = 7 · 1317624576693539401: one layer keeping 7 one-byte values, that many tokens.
  const CacheLayout layout = {{.kind = CacheKind::latent, .layers = 1, .heads = 1, .k_width = 7}};
  CacheQuery query{.context = 1317624576693539401, .format = {.bits = 8}};
  CHECK(cache_bytes(layout, query).total == kMost);
  query.context++;
  CHECK_THROWS_WITH_AS(cache_bytes(layout, query),
                       "total: expected at most 9223372036854775807 bytes, got more",
                       std::invalid_argument);
  SUBCASE("a sum of kinds that each fit") {
    const LayerKind half{.kind = CacheKind::state, .layers = 1, .state_bytes = kMost / 2 + 1};
    CHECK(cache_bytes({half}, {}).total == kMost / 2 + 1);
    CHECK_THROWS_AS(cache_bytes({half, half}, {}), std::invalid_argument);
  }
  SUBCASE("a batch") {
    const LayerKind half{.kind = CacheKind::state, .layers = 1, .state_bytes = kMost / 2 + 1};
    CHECK_THROWS_AS(cache_bytes({half}, {.batch = 2}), std::invalid_argument);
  }
  SUBCASE("a token whose size leaves the range, even before any token is read") {
    const LayerKind huge{
        .kind = CacheKind::full, .layers = kMost, .heads = kMost, .k_width = kMost};
    CHECK_THROWS_AS(cache_bytes({huge}, {}), std::invalid_argument);
  }
}

TEST_CASE("kv_cache: an impossible value is named with the expected one") {
  CHECK_THROWS_WITH_AS(cache_bytes({full(1, 1, 1)}, {.context = -1}),
                       "context: expected 0 or more, got -1", std::invalid_argument);
  CHECK_THROWS_WITH_AS(cache_bytes({full(1, 1, 1)}, {.batch = 0}),
                       "batch: expected 1 or more, got 0", std::invalid_argument);
  CHECK_THROWS_WITH_AS(cache_bytes({full(1, 1, 1)}, {.format = {.bits = 12}}),
                       "bits_per_value: expected 4, 5, 8, 16 or 32, got 12", std::invalid_argument);
  CHECK_THROWS_WITH_AS(cache_bytes({full(1, 1, 1), full(1, 0, 1)}, {}),
                       "layout[1].heads: expected 1 or more, got 0", std::invalid_argument);
  CHECK_THROWS_WITH_AS(cache_bytes({window(1, 1, 1, 0)}, {}),
                       "layout[0].window: expected 1 or more, got 0", std::invalid_argument);
  CHECK_THROWS_WITH_AS(cache_bytes({{.kind = CacheKind::state, .layers = 1}}, {}),
                       "layout[0].state_bytes: expected 1 or more, got 0", std::invalid_argument);
}

TEST_CASE("kv_cache: the longest context that fits a budget") {
  SUBCASE("it fits, and one token more does not") {
    const CacheLayout layout = {window(12, 8, 64, 128),
                                full(12, 8, 64),
                                {.kind = CacheKind::state, .layers = 2, .state_bytes = 1000}};
    for (const std::int64_t budget :
         {std::int64_t{4000}, std::int64_t{1} << 20, std::int64_t{80} << 30}) {
      CacheQuery query{.batch = 2};
      query.context = longest_context(layout, query, budget).value();
      CHECK(cache_bytes(layout, query).total <= budget);
      query.context++;
      CHECK(cache_bytes(layout, query).total > budget);
    }
  }
  SUBCASE("16 GiB hold 262,144 tokens of 64 KiB") {
    CHECK(longest_context({full(16, 4, 256)}, {}, std::int64_t{16} << 30) == 262144);
    CHECK(longest_context({full(16, 4, 256)}, {}, (std::int64_t{16} << 30) - 1) == 262143);
  }
  SUBCASE("a cache that stops growing fits at any length") {
    CHECK_FALSE(longest_context({window(1, 1, 1, 8)}, {}, 32).has_value());
    CHECK(longest_context({window(1, 1, 1, 8)}, {}, 31) == 7);
  }
  SUBCASE("a budget below the constant part") {
    CHECK(longest_context({{.kind = CacheKind::state, .layers = 1, .state_bytes = 10}}, {}, 9) ==
          -1);
  }
}

TEST_CASE("kv_cache: every kind is found by its name") {
  for (int i = 0; i <= static_cast<int>(CacheKind::none); i++) {
    const auto kind = static_cast<CacheKind>(i);
    CHECK(named<CacheKind>(name(kind)) == kind);
  }
  CHECK_FALSE(named<CacheKind>("sliding").has_value());
}

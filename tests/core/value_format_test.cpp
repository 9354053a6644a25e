// Number formats with scales for blocks of values.
#include "core/value_format.h"

#include <doctest/doctest.h>

#include <string>

#include "core/kv_cache.h"

using namespace attn;

namespace {

/// Bytes of one token of one head with `width` key values.
std::int64_t bytes_of(const std::string& format, std::int64_t width) {
  const LayerKind kind = {.kind = CacheKind::full, .layers = 1, .heads = 1, .k_width = width};
  return cache_bytes({kind}, {.context = 1, .format = *value_format(format)}).total;
}

}  // namespace

TEST_CASE("formats: blocks of 32 values with a scale") {
  // 32 · 8 bits and 16 are 34 B; 32 · 4 and 16 are 18 B; 32 · 5 and 32 are 24 B.
  CHECK(bytes_of("q8_0", 128) == 4 * 34);
  CHECK(bytes_of("q4_0", 128) == 4 * 18);
  CHECK(bytes_of("iq4_nl", 128) == 4 * 18);
  CHECK(bytes_of("q4_1", 128) == 4 * 20);
  CHECK(bytes_of("q5_0", 128) == 4 * 22);
  CHECK(bytes_of("q5_1", 128) == 4 * 24);
  CHECK(bytes_of("mxfp4", 128) == 4 * 17);
  // A partly filled block has the size of a full one.
  CHECK(bytes_of("q8_0", 33) == 2 * 34);
}

TEST_CASE("formats: NVFP4 has one scale byte for 16 values, FP8 may have one scale per head") {
  CHECK(bytes_of("nvfp4", 128) == 8 * 9);
  CHECK(bytes_of("fp8", 128) == 128);
  CHECK(bytes_of("fp8_per_head", 128) == 128 + 4);
}

TEST_CASE("formats: every listed name is known") {
  std::string names = value_format_names();
  CHECK(names.find("q8_0") != std::string::npos);
  for (std::size_t end = names.find(", "); !names.empty(); end = names.find(", ")) {
    CHECK(value_format(names.substr(0, end)).has_value());
    names = end == std::string::npos ? "" : names.substr(end + 2);
  }
  CHECK_FALSE(value_format("fp9").has_value());
}

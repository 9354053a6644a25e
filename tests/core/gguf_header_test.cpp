// Headers of GGUF files, written by hand.
#include "core/gguf_header.h"

#include <doctest/doctest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "tests/core/model_files.h"

using namespace attn;

namespace {

std::string number(std::uint64_t value, int size) {
  std::string bytes;
  for (int i = 0; i < size; i++) bytes.push_back(static_cast<char>(value >> 8 * i & 0xFF));
  return bytes;
}

std::string text(const std::string& value) { return number(value.size(), 8) + value; }

// Types of the format: 4 is a 32-bit count, 7 a switch, 8 a text, 9 a list.
std::string count(const std::string& key, std::uint64_t value) {
  return text(key) + number(4, 4) + number(value, 4);
}
std::string word(const std::string& key, const std::string& value) {
  return text(key) + number(8, 4) + text(value);
}
std::string counts(const std::string& key, const std::vector<std::uint64_t>& values) {
  std::string bytes = text(key) + number(9, 4) + number(4, 4) + number(values.size(), 8);
  for (const std::uint64_t value : values) bytes += number(value, 4);
  return bytes;
}

std::string file(const std::vector<std::string>& keys) {
  std::string bytes = "GGUF" + number(3, 4) + number(0, 8) + number(keys.size(), 8);
  for (const std::string& key : keys) bytes += key;
  return bytes;
}

}  // namespace

TEST_CASE("gguf: sizes of a plain model") {
  const auto config = gguf_config(
      file({word("general.architecture", "llama"), count("llama.block_count", 32),
            count("llama.embedding_length", 4096), count("llama.context_length", 8192),
            count("llama.attention.head_count", 32), count("llama.attention.head_count_kv", 8)}));
  REQUIRE(config.has_value());
  const ModelCache cache = read_or_fail(*config);
  CHECK(cache_bytes(cache.layout, {.context = 1}).total == 32 * 8 * 256 * 2);
  CHECK(cache.max_context == 8192);
  CHECK(cache.dtype == "float16");
}

TEST_CASE("gguf: a pattern of windows that follows from the architecture") {
  const auto config = gguf_config(
      file({word("general.architecture", "gemma3"), count("gemma3.block_count", 12),
            count("gemma3.attention.head_count", 8), count("gemma3.attention.head_count_kv", 4),
            count("gemma3.attention.key_length", 256), count("gemma3.attention.value_length", 256),
            count("gemma3.attention.sliding_window", 512)}));
  // Every sixth layer is full: 2 of 12.
  const CacheBytes bytes = cache_bytes(read_or_fail(*config).layout, {.context = 1 << 20});
  CHECK(bytes.growing_per_token == 2 * 4 * 512 * 2);
  CHECK(bytes.within_window_per_token == 12 * 4 * 512 * 2);
}

TEST_CASE("gguf: latent attention, and heads by layer") {
  const auto latent = gguf_config(file(
      {word("general.architecture", "deepseek2"), count("deepseek2.block_count", 2),
       count("deepseek2.attention.head_count", 16), count("deepseek2.attention.kv_lora_rank", 512),
       count("deepseek2.attention.key_length", 576), count("deepseek2.rope.dimension_count", 64)}));
  CHECK(cache_bytes(read_or_fail(*latent).layout, {.context = 1}).total == 2 * 576 * 2);
  const auto layers =
      gguf_config(file({word("general.architecture", "openelm"), count("openelm.block_count", 2),
                        counts("openelm.attention.head_count", {12, 16}),
                        counts("openelm.attention.head_count_kv", {3, 4}),
                        count("openelm.attention.key_length", 64)}));
  CHECK(cache_bytes(read_or_fail(*layers).layout, {.context = 1}).total == (3 + 4) * 128 * 2);
}

TEST_CASE("gguf: layers that keep a state are refused") {
  const auto config =
      gguf_config(file({word("general.architecture", "jamba"), count("jamba.block_count", 2),
                        count("jamba.attention.head_count", 4), count("jamba.embedding_length", 64),
                        count("jamba.ssm.state_size", 16)}));
  const auto result = read_config(*config);
  REQUIRE(std::holds_alternative<Refusal>(result));
  CHECK(std::get<Refusal>(result).reason == Reason::unknown_state_key);
}

TEST_CASE("gguf: other bytes are no header, and a truncated header gives its complete fields") {
  CHECK_FALSE(gguf_config("{}").has_value());
  CHECK_FALSE(gguf_config("").has_value());
  const std::string whole = file({word("general.architecture", "llama"),
                                  count("llama.block_count", 2), word("tokenizer.x", "y")});
  for (std::size_t length = 4; length <= whole.size(); length++) {
    const auto config = gguf_config(whole.substr(0, length));
    REQUIRE(config.has_value());
    CHECK(std::holds_alternative<Refusal>(read_config(*config)));
  }
  // Lengths beyond the end of the bytes cause no error.
  CHECK(gguf_config("GGUF" + number(3, 4) + number(0, 8) + number(~0ULL, 8)).has_value());
}

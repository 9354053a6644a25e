#include "core/engine_log.h"

#include <string_view>

namespace attn {
namespace {

constexpr std::int64_t kMib = std::int64_t{1} << 20;
constexpr std::int64_t kGib = std::int64_t{1} << 30;
constexpr std::int64_t kLargestDivisor = std::int64_t{1} << 58;

/// Spaces before a text up to a width.
std::string padded(std::size_t width, std::string text) {
  if (text.size() < width) text.insert(0, width - text.size(), ' ');
  return text;
}

std::string padded(std::size_t width, std::int64_t value) {
  return padded(width, std::to_string(value));
}

std::vector<std::string> llama_lines(const ServingPlan& plan, const CacheQuery& query,
                                     std::string_view format) {
  const std::string type(format.empty() ? "f16" : format);
  const std::string batch = std::to_string(query.batch);
  std::vector<std::string> lines;
  for (std::size_t i = 0; i < plan.share.size(); i++) {
    const Reserved& kind = plan.reserved->kinds[i];
    if (kind.tokens == 0) continue;
    std::int64_t bytes = 0;
    if (__builtin_mul_overflow(kind.bytes, query.batch, &bytes)) return {};
    const auto mib = [&](std::int64_t one) {
      return padded(7, two_decimals(one * query.batch, kMib)) + " MiB";
    };
    lines.push_back("size = " + mib(kind.bytes) + " (" + padded(6, kind.tokens) + " cells, " +
                    padded(3, plan.share[i].layers) + " layers, " + padded(2, batch) + "/" + batch +
                    " seqs), K (" + type + "): " + mib(kind.k_bytes) + ", V (" + type +
                    "): " + mib(kind.v_bytes));
  }
  return lines;
}

std::vector<std::string> sglang_lines(const Reservation& reserved, const CacheQuery& query) {
  std::int64_t keys = 0;
  std::int64_t values = 0;
  for (const Reserved& kind : reserved.kinds) {
    keys += kind.k_bytes;
    values += kind.v_bytes;
  }
  std::int64_t tokens = 0;
  if (__builtin_mul_overflow(query.context, query.batch, &tokens) ||
      __builtin_mul_overflow(keys, query.batch, &keys) ||
      __builtin_mul_overflow(values, query.batch, &values)) {
    return {};
  }
  return {"KV Cache is allocated. #tokens: " + std::to_string(tokens) + ", K size: " +
          two_decimals(keys, kGib) + " GB, V size: " + two_decimals(values, kGib) + " GB"};
}

std::vector<std::string> vllm_lines(const ServingPlan& plan, const CacheQuery& query,
                                    std::int64_t cards) {
  constexpr std::int64_t kPlainBlock = 16;
  const Reservation& reserved = *plan.reserved;
  std::vector<std::string> lines;
  if (reserved.block > kPlainBlock) {
    lines.push_back("Setting attention block size to " + std::to_string(reserved.block) +
                    " tokens to ensure that attention page size is >= mamba page size.");
  }
  for (std::size_t i = 0; i < reserved.kinds.size(); i++) {
    const std::int64_t padding = reserved.kinds[i].padding_layers;
    if (padding == 0) continue;
    lines.push_back("Add " + std::to_string(padding) + " padding layers, may waste at most " +
                    two_decimals(100 * padding, plan.share[i].layers) + "% KV cache memory");
  }
  if (!plan.budget || plan.budget->available <= 0 || reserved.total <= 0) return lines;
  std::int64_t available = 0;
  std::int64_t each = 0;
  if (__builtin_mul_overflow(plan.budget->available, query.batch, &available) ||
      __builtin_mul_overflow(reserved.total, cards, &each) || each > kLargestDivisor) {
    return lines;
  }
  lines.push_back("Maximum concurrency for " + grouped(query.context) +
                  " tokens per request: " + two_decimals(available, each) + "x");
  return lines;
}

}  // namespace

std::vector<std::string> engine_log(const ServingPlan& plan, const CacheQuery& query,
                                    const ServingRequest& request) {
  if (!plan.reserved) return {};
  switch (request.engine) {
    case Engine::vllm:
      return vllm_lines(plan, query, request.cards);
    case Engine::llama_cpp:
      return llama_lines(plan, query, request.format);
    case Engine::sglang:
      return sglang_lines(*plan.reserved, query);
    case Engine::exact:
      return {};
  }
  return {};
}

std::string two_decimals(std::int64_t numerator, std::int64_t denominator) {
  std::int64_t whole = numerator / denominator;
  std::int64_t rest = numerator % denominator;
  std::int64_t hundredths = 0;
  for (int i = 0; i < 2; i++) {
    hundredths = 10 * hundredths + 10 * rest / denominator;
    rest = 10 * rest % denominator;
  }
  const std::int64_t twice = 2 * rest;
  const bool odd = hundredths % 2 == 1;
  if (twice > denominator || (twice == denominator && odd)) hundredths++;
  if (hundredths == 100) {
    hundredths = 0;
    whole++;
  }
  const std::string digits = std::to_string(hundredths);
  return std::to_string(whole) + (hundredths < 10 ? ".0" : ".") + digits;
}

std::string grouped(std::int64_t value) {
  std::string digits = std::to_string(value);
  const std::size_t first = value < 0 ? 1 : 0;
  for (std::size_t i = digits.size(); i > first + 3; i -= 3) digits.insert(i - 3, ",");
  return digits;
}

}  // namespace attn

// The answer of `npm run cache` in words and as JSON, in Chinese or English.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "core/programs/cache_answer.h"

namespace attn {

/// The wording that command line and page share, and the sentences of the command alone.
class CacheWords {
 public:
  explicit CacheWords(bool english);

  bool english() const { return english_; }
  /// One of two sentences.
  std::string_view of(std::string_view chinese, std::string_view english) const {
    return english_ ? english : chinese;
  }

  std::string kind(CacheKind kind) const;
  std::string why(const Assumption& assumption) const;
  std::string why(const Doubt& doubt) const;
  std::string what(const CacheVariant& variant) const;
  std::string reason(const Refusal& refusal) const;
  std::string expected(const Refusal& refusal) const;

 private:
  std::string translated(const char* group, std::string_view code) const;

  bool english_;
  nlohmann::ordered_json words_;
};

nlohmann::ordered_json to_json(const CacheAnswer& answer, const CacheOptions& options,
                               const CacheWords& words);
nlohmann::ordered_json to_json(const Refusal& refusal, const CacheWords& words);

/// The answer in sentences, for a reader.
std::string to_text(const CacheAnswer& answer, const CacheOptions& options,
                    const CacheWords& words);
std::string to_text(const Refusal& refusal, const CacheOptions& options, const CacheWords& words);

/// "65,536 B（64 KiB）", or with spaces and plain brackets in English.
std::string size_text(std::int64_t bytes, bool english);

}  // namespace attn

#include "core/gpt/tokenizer.h"

#include <algorithm>
#include <map>
#include <utility>

#include "core/check.h"

namespace attn {
namespace {

std::string utf8(char32_t c) {
  std::string out;
  const auto tail = [&](int shift) {
    out.push_back(static_cast<char>(0x80 | ((c >> shift) & 0x3f)));
  };
  if (c < 0x80) {
    out.push_back(static_cast<char>(c));
  } else if (c < 0x800) {
    out.push_back(static_cast<char>(0xc0 | (c >> 6)));
    tail(0);
  } else if (c < 0x10000) {
    out.push_back(static_cast<char>(0xe0 | (c >> 12)));
    tail(6);
    tail(0);
  } else {
    out.push_back(static_cast<char>(0xf0 | (c >> 18)));
    tail(12);
    tail(6);
    tail(0);
  }
  return out;
}

bool is_code_point(char32_t c) { return c < 0xd800 || (c >= 0xe000 && c <= 0x10ffff); }

void require_vocab_size(int vocab_size) {
  if (vocab_size < 3) refuse("vocab_size", "at least 3", std::to_string(vocab_size));
}

}  // namespace

std::u32string code_points(std::string_view argument, std::string_view text) {
  std::u32string out;
  for (std::size_t i = 0; i < text.size();) {
    const auto lead = static_cast<unsigned char>(text[i]);
    const std::size_t length = lead < 0x80   ? 1
                               : lead < 0xc0 ? 0
                               : lead < 0xe0 ? 2
                               : lead < 0xf0 ? 3
                                             : 4;
    char32_t c = length == 1 ? lead : lead & (0x7fu >> length);
    bool good = length > 0 && lead < 0xf8 && i + length <= text.size();
    for (std::size_t j = 1; good && j < length; ++j) {
      const auto byte = static_cast<unsigned char>(text[i + j]);
      good = (byte & 0xc0) == 0x80;
      c = (c << 6) | (byte & 0x3fu);
    }
    constexpr char32_t kLowest[] = {0, 0, 0x80, 0x800, 0x10000};
    if (!good || c < kLowest[length] || !is_code_point(c)) {
      refuse(argument, "UTF-8", "another byte at " + std::to_string(i));
    }
    out.push_back(c);
    i += length;
  }
  return out;
}

Tokenizer::Tokenizer(std::string_view text, int vocab_size) : vocab_size_(vocab_size) {
  require_vocab_size(vocab_size);
  std::map<char32_t, int> counts;
  for (const char32_t c : code_points("text", text)) ++counts[c];
  if (counts.empty()) refuse("text", "at least one character", "none");
  std::vector<std::pair<char32_t, int>> ranked(counts.begin(), counts.end());
  std::stable_sort(ranked.begin(), ranked.end(),
                   [](const auto& a, const auto& b) { return a.second > b.second; });
  ranked.resize(std::min(ranked.size(), static_cast<std::size_t>(vocab_size - 2)));
  for (const auto& [c, n] : ranked) {
    ids_.emplace(c, static_cast<int>(characters_.size()) + 2);
    characters_.push_back(c);
  }
}

Tokenizer::Tokenizer(std::u32string characters, int vocab_size)
    : vocab_size_(vocab_size), characters_(std::move(characters)) {
  require_vocab_size(vocab_size);
  if (characters_.size() > static_cast<std::size_t>(vocab_size) - 2) {
    refuse("characters", "at most " + std::to_string(vocab_size - 2),
           std::to_string(characters_.size()));
  }
  for (std::size_t i = 0; i < characters_.size(); ++i) {
    const char32_t c = characters_[i];
    if (!is_code_point(c) || !ids_.emplace(c, static_cast<int>(i) + 2).second) {
      refuse(item_of("characters", i), "a code point that did not come before", text_of(c));
    }
  }
}

std::vector<int> Tokenizer::encode(std::string_view text) const {
  std::vector<int> ids;
  for (const char32_t c : code_points("text", text)) {
    const auto found = ids_.find(c);
    ids.push_back(found == ids_.end() ? kUnknown : found->second);
  }
  return ids;
}

std::string Tokenizer::character(int id) const {
  if (id == kPad) return "<pad>";
  const int index = id - 2;
  if (index < 0 || index >= static_cast<int>(characters_.size())) return "<unk>";
  return utf8(characters_[static_cast<std::size_t>(index)]);
}

std::string Tokenizer::decode(const std::vector<int>& ids) const {
  std::string text;
  for (const int id : ids) text += character(id);
  return text;
}

}  // namespace attn

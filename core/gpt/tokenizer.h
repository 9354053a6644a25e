// A tokenizer with one token per character.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace attn {

/// The vocabulary is <pad>, <unk> and the most frequent characters of a text; a line break is a
/// character like any other.
class Tokenizer {
 public:
  static constexpr int kPad = 0;
  static constexpr int kUnknown = 1;

  /// @param text        UTF-8; equally frequent characters are taken by code point
  /// @param vocab_size  at least 3; with fewer characters in the text, the last ids have none
  /// @throws std::invalid_argument for a smaller vocabulary, an empty text or one that is not UTF-8
  Tokenizer(std::string_view text, int vocab_size);

  /// The vocabulary of another tokenizer.
  ///
  /// @param characters  of the ids from 2 on, as characters() gives them
  /// @throws std::invalid_argument for more than the vocabulary holds, a character twice, or one
  ///         that is no code point
  Tokenizer(std::u32string characters, int vocab_size);

  /// One id a character; kUnknown for a character outside the vocabulary.
  /// @throws std::invalid_argument for text that is not UTF-8
  std::vector<int> encode(std::string_view text) const;

  /// The character of an id; "<pad>" and "<unk>" for those two and for ids without a character.
  std::string character(int id) const;
  std::string decode(const std::vector<int>& ids) const;

  int vocab_size() const { return vocab_size_; }
  /// The characters of the ids from 2 on, the most frequent first.
  const std::u32string& characters() const { return characters_; }

 private:
  int vocab_size_;
  std::u32string characters_;
  std::unordered_map<char32_t, int> ids_;  // for lookups only: its order is never used
};

/// The code points of UTF-8 text.
/// @throws std::invalid_argument naming `argument` and the byte
std::u32string code_points(std::string_view argument, std::string_view text);

}  // namespace attn

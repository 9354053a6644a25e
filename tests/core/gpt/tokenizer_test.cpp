#include "core/gpt/tokenizer.h"

#include <doctest/doctest.h>

#include <stdexcept>

using attn::Tokenizer;

TEST_CASE("tokenizer: ordered by frequency, then by code point, line breaks included") {
  // 。×3, line break ×2, 月 (U+6708) ×2, 人 (U+4EBA) ×1, 山 (U+5C71) ×1.
  const Tokenizer tokenizer("月山。月人。。\n\n", 6);
  CHECK(tokenizer.character(0) == "<pad>");
  CHECK(tokenizer.character(1) == "<unk>");
  CHECK(tokenizer.character(2) == "。");
  CHECK(tokenizer.character(3) == "\n");
  CHECK(tokenizer.character(4) == "月");
  CHECK(tokenizer.character(5) == "人");
  CHECK(tokenizer.encode("山月\n人") == std::vector<int>{1, 4, 3, 5});
  CHECK(tokenizer.decode({4, 1, 2}) == "月<unk>。");
}

TEST_CASE("tokenizer: characters of every UTF-8 length are decoded unchanged") {
  const std::string text = "aé月𠀀";
  const Tokenizer tokenizer(text, 100);
  const auto ids = tokenizer.encode(text);
  CHECK(ids.size() == 4);
  CHECK(tokenizer.decode(ids) == text);
  CHECK(tokenizer.character(99) == "<unk>");  // more ids than characters
}

TEST_CASE("tokenizer: no text gives no ids, text outside the vocabulary only <unk>") {
  const Tokenizer tokenizer("月", 3);
  CHECK(tokenizer.encode("").empty());
  CHECK(tokenizer.encode("床间见") == std::vector<int>{1, 1, 1});
}

TEST_CASE("tokenizer: text that is not UTF-8 is refused with the place") {
  const Tokenizer tokenizer("月", 3);
  for (const char* bad :
       {"a\x80", "a\xe6\x9c", "a\xc0\x80", "a\xed\xa0\x80", "a\xf5\x80\x80\x80", "a\xff"}) {
    CHECK_THROWS_WITH_AS(tokenizer.encode(bad), "text: expected UTF-8, got another byte at 1",
                         std::invalid_argument);
  }
  CHECK_THROWS_WITH_AS(Tokenizer("", 10), "text: expected at least one character, got none",
                       std::invalid_argument);
  CHECK_THROWS_WITH_AS(Tokenizer("月", 2), "vocab_size: expected at least 3, got 2",
                       std::invalid_argument);
}

TEST_CASE("tokenizer: a tokenizer made from another's characters gives the same ids") {
  const Tokenizer learnt("月山。月人。。\n\n", 6);
  const Tokenizer same(learnt.characters(), 6);
  CHECK(same.encode("山月\n人") == learnt.encode("山月\n人"));
  CHECK(same.character(5) == "人");
  CHECK_THROWS_WITH_AS(Tokenizer(U"月山", 3), "characters: expected at most 1, got 2",
                       std::invalid_argument);
  CHECK_THROWS_WITH_AS(Tokenizer(U"月月", 6),
                       "characters[1]: expected a code point that did not come before, got 26376",
                       std::invalid_argument);
  CHECK_THROWS_AS(Tokenizer(std::u32string(1, char32_t{0xd800}), 6), std::invalid_argument);
}

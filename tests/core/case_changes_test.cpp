#include "core/programs/case_changes.h"

#include <doctest/doctest.h>

#include <stdexcept>

using attn::CaseText;

namespace {

// Ten poems; a split after nine tenths of the lines leaves the last one for validation.
const std::string kCorpus = [] {
  std::string text;
  for (int i = 0; i < 9; ++i) text += "春眠。春曉。\n";
  return text + "秋風。冬雪。\n";
}();

}  // namespace

TEST_CASE("case text: one poem a line, breaks are tokens of their own") {
  // 10 poems of 6 characters and a break. 。 comes 20 times, 春 18, the break 10, 眠 and 曉 9 each.
  const CaseText text(kCorpus, 8, false);
  CHECK(text.tokens.size() == 70);
  CHECK(text.split().validation.size() == 7);
  const std::vector<int> first(text.tokens.begin(), text.tokens.begin() + 7);
  CHECK(text.tokenizer.decode(first) == "春眠。春曉。\n");
  CHECK(text.tokens[2] == 2);
  CHECK(text.tokens[6] == 4);
}

TEST_CASE("case text: in couplets a break is <unk>, and the vocabulary has room for one more") {
  // A break after each of the 20 full stops: 60 characters and 20 breaks. Nine tenths of the lines
  // are 18 couplets of 4 tokens.
  const CaseText text(kCorpus, 8, true);
  CHECK(text.tokens.size() == 80);
  CHECK(text.split().training.size() == 72);
  const std::vector<int> first(text.tokens.begin(), text.tokens.begin() + 8);
  CHECK(text.tokenizer.decode(first) == "春眠。<unk>春曉。<unk>");
  CHECK(text.tokenizer.characters().find(U'\n') == std::u32string::npos);
}

TEST_CASE("case changes: each changes the options, except the one about the text") {
  for (const std::string& name : attn::change_names()) {
    CAPTURE(name);
    attn::TrainingOptions options;
    const attn::TrainingOptions before = options;
    attn::apply_change(name, options);
    const bool same = options.config == before.config && options.clip == before.clip &&
                      options.decay_all == before.decay_all &&
                      options.schedule.warmup_steps == before.schedule.warmup_steps &&
                      options.schedule.lowest == before.schedule.lowest;
    CHECK(same == (name == "couplets"));
  }
  attn::TrainingOptions options;
  CHECK_THROWS_AS(attn::apply_change("no-attention", options), std::invalid_argument);
}

// Messages of refusals, in both languages.
#include "core/config_refusal.h"

#include <doctest/doctest.h>

#include <set>
#include <string>

#include "core/programs/json_config.h"
#include "tests/core/model_files.h"

using namespace attn;

namespace {

/// The placeholders in braces of a template.
std::set<std::string> places_of(const std::string& text) {
  std::set<std::string> places;
  for (std::size_t open = text.find('{'); open != std::string::npos;
       open = text.find('{', open + 1)) {
    places.insert(text.substr(open + 1, text.find('}', open) - open - 1));
  }
  return places;
}

}  // namespace

TEST_CASE("refusal: every reason has a Chinese sentence with known places") {
  const ConfigValue words = parse_config(read_project_file("lessons/data/cache-words.json"));
  const ConfigValue& refused = *words.find("refused");
  CHECK(refused.keys().size() == kReasons);
  for (std::size_t i = 0; i < kReasons; i++) {
    const Reason reason = static_cast<Reason>(i);
    INFO(name(reason));
    const ConfigValue* row = refused.find(name(reason));
    REQUIRE(row != nullptr);
    for (const char* part : {"why", "expected"}) {
      for (const std::string& place : places_of(row->find(part)->as_string())) {
        CHECK(std::set<std::string>{"field", "value", "other", "detail"}.contains(place));
      }
    }
    const Refusal refusal{reason, "a.field", "3", "a.other", "7"};
    CHECK_FALSE(reason_text(refusal).empty());
    CHECK(places_of(reason_text(refusal)).empty());
    // Either both languages state the expected value or neither does.
    const bool in_chinese = !row->find("expected")->as_string().empty();
    if (reason != Reason::config_not_object) {
      CHECK(expected_text(refusal).empty() != in_chinese);
    }
  }
}

TEST_CASE("refusal: names the value, the reason and the expected value") {
  const auto sentence = [](const char* json) {
    const auto result = read_config(parse_config(json));
    const auto& refusal = std::get<Refusal>(result);
    return std::string(name(code_of(refusal.reason))) + ": " + reason_text(refusal) + "; " +
           expected_text(refusal);
  };
  CHECK(sentence(R"({"n_layer": 1, "n_head": 32, "hidden_size": 4100})") ==
        "range: hidden_size is 4100, which is not divisible by n_head = 32; "
        "a multiple of 32, or head_dim");
  CHECK(sentence(R"({"n_layer": 1, "n_head": 32, "head_dim": 8, "n_kv_heads": 3})") ==
        "range: n_kv_heads is 3, and n_head = 32 query heads cannot be shared evenly among them; "
        "a number that divides 32");
  CHECK(sentence(R"({"n_layer": "1"})") == "type: n_layer is \"1\"; a number");
  CHECK(sentence(R"({"n_layer": 0})") == "range: n_layer is 0; a whole number in 1…10000");
}

#include "core/programs/json_config.h"

#include <doctest/doctest.h>

#include <cmath>
#include <stdexcept>
#include <string>
#include <variant>
#include <vector>

#include "core/config_reader.h"

using namespace attn;

namespace {

/// "reason line:column detail", or "reason field" of a key.
std::string refusal_of_text(const std::string& text) {
  try {
    parse_config(text);
  } catch (const ConfigTextError& error) {
    const Refusal& why = error.refusal;
    const std::string reason(name(why.reason));
    if (!why.field.empty()) return reason + " " + why.field;
    return reason + " " + why.value + ":" + why.other + " " + why.detail;
  }
  return "accepted";
}

}  // namespace

TEST_CASE("json: bare NaN and Infinity are numbers, and text stays text") {
  const ConfigValue config = parse_config(
      R"({"limits": [0.0, Infinity, -Infinity, NaN], "NaN": "NaN, \"Infinity", "a\\": -1e3})");
  const auto& limits = config.find("limits")->values();
  CHECK(limits[0].as_number() == 0);
  CHECK(limits[1].as_number() == HUGE_VAL);
  CHECK(limits[2].as_number() == -HUGE_VAL);
  CHECK(std::isnan(limits[3].as_number()));
  CHECK(config.find("NaN")->as_string() == "NaN, \"Infinity");
  CHECK(config.find("a\\")->as_number() == -1000);
}

TEST_CASE("json: keys keep the file's order") {
  const ConfigValue config = parse_config(R"({"z": 1, "a": null, "m": {"y": true, "b": []}})");
  CHECK(config.keys() == std::vector<std::string>{"z", "a", "m"});
  CHECK(config.find("a")->is(ConfigValue::Type::null));
  CHECK(config.find("m")->find("y")->as_boolean());
  CHECK(config.find("m")->find("b")->is(ConfigValue::Type::list));
  CHECK(config.find("q") == nullptr);
}

TEST_CASE("json: text that is not JSON is refused with its place") {
  for (const std::string text : {"", "{", "{'a': 1}", "[1,]", "NaNs", "[Infinity2]", "\"\xff\""}) {
    CHECK_THROWS_AS(parse_config(text), ConfigTextError);
  }
  CHECK(refusal_of_text("{\n  \"a\": ?\n}") == "syntax 2:8 ?");
  CHECK(refusal_of_text("{\"a\": NaN, \"b\": ?}") == "syntax 1:17 ?");
  CHECK(refusal_of_text("{\"注\": 错}") == "syntax 1:7 错");
  CHECK(refusal_of_text("{\"a\": [1") == "cut_off 1:9 ");
}

TEST_CASE("json: nesting is limited") {
  const auto nested = [](std::size_t levels) {
    return std::string(levels, '[') + std::string(levels, ']');
  };
  CHECK_NOTHROW(parse_config(nested(64)));
  CHECK(refusal_of_text(nested(65)) == "nested_too_deep : 64");
  CHECK(refusal_of_text(nested(100000)) == "nested_too_deep : 64");
}

TEST_CASE("json: a key given twice is named") {
  CHECK(refusal_of_text(R"({"a": 1, "b": 2, "a": 1})") == "repeated_key a");
  CHECK(refusal_of_text(R"({"a": [{"x": {"b": 1, "b": 2}}]})") == "repeated_key a.x.b");
  CHECK_NOTHROW(parse_config(R"({"a": {"b": 1}, "b": {"a": 1}})"));
}

TEST_CASE("json: byte-order marks and UTF-16 are read") {
  const std::string text = R"({"键": "值😀"})";
  // The same text by hand in UTF-16: 😀 is the pair D83D DE00.
  const std::u16string wide = u"{\"键\": \"值\xD83D\xDE00\"}";
  std::string little;
  std::string big;
  for (const char16_t unit : wide) {
    little.append({static_cast<char>(unit & 0xFF), static_cast<char>(unit >> 8)});
    big.append({static_cast<char>(unit >> 8), static_cast<char>(unit & 0xFF)});
  }
  CHECK(decoded_text(text) == text);
  CHECK(decoded_text("\xEF\xBB\xBF" + text) == text);
  CHECK(decoded_text("\xFF\xFE" + little) == text);
  CHECK(decoded_text("\xFE\xFF" + big) == text);
  CHECK(decoded_text(little) == text);
  CHECK(decoded_text(big) == text);
}

TEST_CASE("json: a file beyond the limit is refused for its size") {
  try {
    decoded_text(std::string(kLargestFile + 1, ' '));
    FAIL("accepted");
  } catch (const ConfigTextError& error) {
    CHECK(error.refusal.reason == Reason::file_too_large);
    CHECK(error.refusal.value == "8388609");
  }
}

TEST_CASE("json: a hundred thousand keys are read") {
  std::string text = "{";
  for (int i = 0; i < 100000; i++) text += "\"key" + std::to_string(i) + "_state\": 1, ";
  text += R"("num_hidden_layers": 1, "num_attention_heads": 1, "head_dim": 1})";
  const auto result = read_config(parse_config(text));
  REQUIRE(std::holds_alternative<ModelCache>(result));
  CHECK(std::get<ModelCache>(result).doubts.size() == 1000);
}

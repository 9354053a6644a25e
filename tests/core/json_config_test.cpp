#include "core/programs/json_config.h"

#include <doctest/doctest.h>

#include <cmath>
#include <stdexcept>
#include <string>
#include <vector>

using namespace attn;

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

TEST_CASE("json: what is no JSON is refused with its place") {
  for (const std::string text : {"", "{", "{'a': 1}", "[1,]", "NaNs", "[Infinity2]", "\"\xff\""}) {
    CHECK_THROWS_AS(parse_config(text), std::invalid_argument);
  }
  try {
    parse_config("{\n  \"a\": ?\n}");
    FAIL("accepted");
  } catch (const std::invalid_argument& error) {
    CHECK(std::string(error.what()).find("line 2, column 8") != std::string::npos);
  }
}

TEST_CASE("json: nesting has an end") {
  const auto nested = [](std::size_t levels) {
    return std::string(levels, '[') + std::string(levels, ']');
  };
  CHECK_NOTHROW(parse_config(nested(64)));
  CHECK_THROWS_WITH_AS(parse_config(nested(65)), "JSON: expected at most 64 levels, got more",
                       std::invalid_argument);
  CHECK_THROWS_AS(parse_config(nested(100000)), std::invalid_argument);
}

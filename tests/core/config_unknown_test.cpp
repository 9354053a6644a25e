// Keys that the reader does not know: listed as doubtful or ignored, refused, or left out on
// request.
#include "core/config_unknown.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "core/programs/json_config.h"
#include "tests/core/model_files.h"

using namespace attn;

TEST_CASE("config: unknown keys are doubtful if their name concerns the cache, and else ignored") {
  for (const std::string key :
       {"attention_flavour", "n_cache_slots", "windowing", "chunked", "headcount", "layerTypes",
        "indexer", "state_dim", "lowRank", "kv_sharing", "block_pattern"}) {
    CHECK(doubts_of(four_layers("\"" + key + "\": 2")) == key + "=2");
    for (const std::string nothing : {"false", "null", "0", "[]", "{}", "\"\""}) {
      CHECK(doubts_of(four_layers("\"" + key + "\": " + nothing)) == "");
    }
    CHECK(doubts_of(four_layers(R"("extra": {")" + key + "\": 2}")) == "extra." + key + "=2");
    CHECK(doubts_of(four_layers(R"("extra": [{")" + key + "\": 2}]")) == "extra." + key + "=2");
    // A part with a model of its own does not belong to the language model.
    CHECK(doubts_of(four_layers(R"("vision_config": {")" + key + "\": 2}")) == "");
    CHECK(doubts_of(four_layers(R"("extra": {"model_type": "x", ")" + key + "\": 2}")) == "");
  }
  const auto cache =
      read_or_fail(parse_config(four_layers(R"("colour": "red", "extra": {"a": 1})")));
  CHECK(cache.ignored == std::vector<std::string>{"colour", "extra"});
  CHECK(read_or_fail(parse_config(four_layers(R"("rope_theta": 1)"))).ignored.empty());
}

TEST_CASE("config: unknown keys of layers with another kind of cache are refused") {
  for (const std::string key : {"mamba_flavour", "ssm_kind", "recurrence", "conv_size",
                                "compression", "linear_attn_size", "n_loops"}) {
    CHECK(refusal_of(four_layers("\"" + key + "\": 2")) == "unknown_kind " + key);
    CHECK(refusal_of(four_layers("\"" + key + "\": false")) == "accepted");
  }
}

TEST_CASE("config: a key that the caller ignores counts as absent") {
  const auto read = [](const std::string& more, const std::vector<std::string>& ignored) {
    return described(read_config(parse_config(four_layers(more)), ignored));
  };
  const std::string plain = read("", {});
  CHECK(read(R"("attention_flavour": 2)", {"attention_flavour"}) == plain);
  CHECK(read(R"("compress_ratios": [2])", {"compress_ratios"}) == plain);
  CHECK(read(R"("extra": {"kv": 2})", {"extra"}) == plain);
  CHECK(read(R"("sliding_window": 3)", {"sliding_window"}) == plain);
  CHECK(read(R"("sliding_window": 3, "use_sliding_window": true)", {"sliding_window"}) == plain);
  const std::string twice = R"("sliding_window": 3, "window_size": 3)";
  CHECK(doubts_of(four_layers(twice)) == "sliding_window=3");
  const auto once = read_config(parse_config(four_layers(twice)), {"sliding_window"});
  CHECK(std::get<ModelCache>(once).doubts.size() == 1);
  CHECK(read("", {"no_such_key"}) == plain);
}

// Runs the reader on the inputs that fuzzing collected.
#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "tests/core/model_files.h"
#include "tests/fuzz/config_claims.h"

using namespace attn;

TEST_CASE("config: every collected input gets a layout or a clear refusal") {
  std::vector<std::string> files;
  for (const auto& entry :
       std::filesystem::directory_iterator(ATTN_SOURCE_DIR "/tests/fuzz/corpus")) {
    files.push_back(entry.path().filename().string());
  }
  std::sort(files.begin(), files.end());
  REQUIRE(files.size() > 50);
  for (const std::string& file : files) {
    INFO(file);
    CHECK_NOTHROW(check_claims(read_project_file("tests/fuzz/corpus/" + file)));
  }
}

TEST_CASE("config: the same claims hold for the published configs") {
  for (const std::string& model : model_names()) {
    INFO(model);
    const std::string text = read_project_file("lessons/models/" + model + ".json");
    const std::size_t begin = text.find("\"config\": ") + 10;
    const std::size_t end = text.rfind(",\n  \"provenance\"");
    CHECK_NOTHROW(check_claims(text.substr(begin, end - begin)));
  }
}

// The request and the answer of `npm run cache`, before the answer becomes text.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/config_reader.h"
#include "core/serving_plan.h"

namespace attn {

struct CacheOptions {
  std::string file;
  std::int64_t context = 0;
  std::int64_t batch = 1;
  std::int64_t source = 0;  // tokens of the other input, for cross-attention
  std::int64_t prefix = 0;  // tokens that begin every sequence alike
  std::int64_t cards = 1;
  double memory_gib = 0;  // of one card; 0: not given
  std::string weights;    // a format, or a size as in "15.5GiB"; empty: not given
  std::string dtype;      // of the cache; empty: as the file says
  std::string engine;     // empty: the exact size
  std::vector<std::string> ignored;
  bool json = false;
  bool english = false;
};

struct CacheAnswer {
  ModelCache model;
  CacheBytes bytes;  // the exact size, on one card
  std::vector<CacheBytes> variants;
  ServingPlan plan;
  std::int64_t parameters = 0;    // counted for the weights; 0 where they were not counted
  std::string quantisation_file;  // the file beside the config that was read too; else empty
};

/// @throws Refusal for a file that cannot be read or is not modelled
/// @throws std::invalid_argument for options that do not fit the model, beginning with their name
CacheAnswer answer(const CacheOptions& options);

/// The format of a name on the command line; nothing for unknown names.
std::optional<ValueFormat> named_format(const std::string& name);

}  // namespace attn

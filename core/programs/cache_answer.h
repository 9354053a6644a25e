// The request and the answer of `npm run cache`, before the answer becomes text.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/cache_plan.h"
#include "core/config_reader.h"

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

/// How many sequences fit beside the weights, on all cards together.
struct Budget {
  std::int64_t memory = 0;              // bytes of all cards
  std::int64_t weights = 0;             // bytes
  std::int64_t parameters = 0;          // 0 where the size was given or weights do not count
  std::int64_t reserve = 0;             // left for activations and the engine
  std::int64_t available = 0;           // for the cache; may be negative
  std::int64_t sequences = 0;           // −1: any number
  std::optional<std::int64_t> longest;  // tokens of each of `batch` sequences; nothing: any length
};

struct CacheAnswer {
  ModelCache model;
  CacheBytes bytes;  // the exact size, on one card
  std::vector<CacheBytes> variants;
  CacheLayout share;                    // of one card
  CacheBytes card_bytes;                // the exact size of that share
  std::optional<Reservation> reserved;  // of one card, where an engine was named
  std::int64_t saved = 0;               // of the whole size, by keeping the common beginning once
  std::optional<Budget> budget;
  std::string quantisation_file;  // the file beside the config that was read too; else empty
};

/// @throws Refusal for a file that cannot be read or is not modelled
/// @throws std::invalid_argument for options that do not fit the model, beginning with their name
CacheAnswer answer(const CacheOptions& options);

/// The format of a name on the command line; nothing for unknown names.
std::optional<ValueFormat> named_format(const std::string& name);

}  // namespace attn

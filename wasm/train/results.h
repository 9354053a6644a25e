// Arguments and results of the calls of a run.
#pragma once

#include <string>
#include <vector>

#include "core/gpt/diagnostics.h"
#include "core/gpt/forward_trace.h"
#include "core/gpt/sampling.h"
#include "wasm/convert.h"
#include "wasm/train/run.h"

namespace attn::wasm {

struct Sizes {
  std::size_t training_tokens = 0;
  std::size_t validation_tokens = 0;
  ParameterCount parameters;
};

struct Steps {
  int steps = 0;
  bool diverged = false;
  std::vector<double> losses, gradient_norms, learning_rates;
};

struct Progress {
  int steps = 0;
  bool diverged = false;
};

struct Encoded {
  std::vector<int> ids;
  std::vector<std::string> characters;
};

struct SampleSettings {
  std::string prompt;
  int count = 0;
  double temperature = 1;
  int top_k = 0;
  bool cached = true;
  std::uint32_t seed = 0;
};

struct Sample {
  std::string text;
  std::vector<int> ids;
  std::vector<std::string> characters;
  int unknown_in_prompt = 0;
  bool beyond_block = false;
};

struct Forward {
  std::vector<int> ids;
  std::vector<std::string> characters;
  ForwardTrace trace;
};

struct AttentionMap {
  Matrix weights;  // (T, T)
  std::vector<std::string> characters;
  int skipped = 0;
};

struct Portraits {
  std::vector<std::vector<HeadPortrait>> layers;
  HeadPortrait uniform;
  int skipped = 0;
};

}  // namespace attn::wasm

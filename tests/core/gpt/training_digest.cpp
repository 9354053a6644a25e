#include "tests/core/gpt/training_digest.h"

#include <algorithm>
#include <span>
#include <vector>

#include "core/gpt/trainer.h"
#include "core/rng.h"

namespace attn {
namespace {

std::string hex(std::uint64_t number) {
  std::string text(16, '0');
  for (std::size_t i = 16; i-- > 0; number >>= 4) text[i] = "0123456789abcdef"[number & 15];
  return text;
}

}  // namespace

std::string training_digest_text(int threads) {
  // The smaller of two draws makes some tokens more frequent, so that the text has a pattern to
  // learn.
  Rng rng(7);
  std::vector<int> text;
  for (int i = 0; i < 20000; ++i) {
    text.push_back(static_cast<int>(std::min(rng.below(1200), rng.below(1200))));
  }
  std::string out;
  for (const bool large : {false, true}) {
    for (const AttentionKind kind : {AttentionKind::kScaled, AttentionKind::kUnscaled}) {
      TrainingOptions options;
      options.config = large ? large_case(kind) : small_case(kind);
      options.threads = threads;
      Trainer<float> trainer(options, text, {});
      // The second step is the first that uses moments of a step before.
      const int steps = large ? 2 : 20;
      std::vector<double> losses;
      for (int i = 0; i < steps; ++i) losses.push_back(trainer.step().loss);
      out += large ? "large " : "small ";
      out += kind == AttentionKind::kScaled ? "scaled " : "unscaled ";
      out += std::to_string(steps) + " " + hex(digest<float>(trainer.model().parameters())) + " " +
             hex(digest<double>(losses)) + "\n";
    }
  }
  return out;
}

}  // namespace attn

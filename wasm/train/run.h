// A model with its vocabulary: the one handle that JavaScript holds, until delete().
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/gpt/compact.h"
#include "core/gpt/tokenizer.h"
#include "core/gpt/trainer.h"

namespace attn::wasm {

/// The settings of a model and of its training.
struct Settings {
  GptConfig config;
  AttentionKind attention = AttentionKind::kScaled;
  std::uint32_t seed = static_cast<std::uint32_t>(TrainingOptions().seed);
  int batch_size = TrainingOptions().batch_size;
  int steps = Schedule().total_steps;
  int warmup_steps = Schedule().warmup_steps;
  double learning_rate = Schedule().peak;
};

/// The number of threads that train a run: in the build with threads, the caller's and one helper.
int threads() noexcept;

/// A model that is being trained, or one that was trained elsewhere.
class Run {
 public:
  /// @throws std::invalid_argument as Trainer, or for a text without enough lines
  Run(const Settings& settings, const std::string& text);

  /// From the bytes of a .weights file.
  explicit Run(const std::vector<std::uint8_t>& weights);

  const Tokenizer& tokenizer() const { return tokenizer_; }
  Gpt<float>& model() { return trainer_ ? trainer_->model() : *trained_; }

  /// @throws std::invalid_argument for a model trained elsewhere
  Trainer<float>& trainer();

  std::size_t training_tokens() const { return training_tokens_; }
  std::size_t validation_tokens() const { return validation_tokens_; }

 private:
  explicit Run(TrainedModel model);

  Tokenizer tokenizer_;
  std::unique_ptr<Trainer<float>> trainer_;  // empty for a model trained elsewhere
  std::unique_ptr<Gpt<float>> trained_;      // empty for a model that is being trained
  std::size_t training_tokens_ = 0;
  std::size_t validation_tokens_ = 0;
};

}  // namespace attn::wasm

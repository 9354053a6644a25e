// A training run: batches, steps, losses. Two runs with equal options and texts agree in every bit,
// whatever the machine and the number of threads.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/gpt/adamw.h"
#include "core/gpt/gpt.h"
#include "core/gpt/schedule.h"

namespace attn {

struct TrainingOptions {
  GptConfig config;
  std::uint64_t seed = 20261014;
  int batch_size = 32;
  Schedule schedule;
  AdamW adamw;
  bool decay_all = false;  // weight decay on embeddings, biases and norms too
  double clip = 1;         // largest norm of the whole gradient; infinity for no clipping
  int threads = 1;
};

struct StepResult {
  int step;              // from 0
  double loss;           // mean over the batch, in nats, before the update
  double gradient_norm;  // before clipping
  double learning_rate;
};

/// Tokens for training and for validation.
struct Split {
  std::span<const int> training, validation;
};

/// Cuts after the line that completes nine tenths of the lines.
/// @param line_break  its id; a text without one is cut after nine tenths of its tokens
Split split_by_lines(std::span<const int> tokens, int line_break);

template <class T>
class Trainer {
 public:
  /// @param training    copied; at least block_size + 1 ids
  /// @param validation  copied; as many, or none
  /// @throws std::invalid_argument for an option out of range, too short a text, or an id outside
  ///         the vocabulary
  Trainer(const TrainingOptions& options, std::span<const int> training,
          std::span<const int> validation);

  /// Forward, backward, clipping, update. A loss or gradient that is not finite ends the run: the
  /// parameters stay as they were, diverged() becomes true, and the step does not count.
  StepResult step();

  /// Steps done; the next one's number.
  int steps() const { return steps_; }
  bool diverged() const { return diverged_; }

  /// The peak of the schedule, from the next step on.
  /// @throws std::invalid_argument unless finite and ≥ 0
  void set_learning_rate(double peak);

  /// Mean loss over `passes` times eight validation windows, the same ones at every call.
  /// @throws std::invalid_argument without a validation text, or for fewer than one pass
  double validation_loss(int passes = 32);

  /// The same with one head removed (Gpt::ablate_head). The parameters are restored afterwards.
  /// @throws std::invalid_argument as above, or for a layer or head out of range
  double validation_loss_without(int layer, int head, int passes = 32);

  /// Activations of the last step's batch, computed before the update of that step; those of the
  /// first step belong to the untrained model. validation_loss() does not change them.
  const Activations<T>& activations() const { return activations_; }

  /// The targets of the last batch, one for each of activations().losses.
  std::span<const int> targets() const { return targets_; }

  const Gpt<T>& model() const { return model_; }
  Gpt<T>& model() { return model_; }
  const TrainingOptions& options() const { return options_; }
  std::span<const T> gradient() const { return gradient_; }
  Workers& workers() { return workers_; }

  /// The state of the run without the texts. A run that loads it continues bit for bit.
  std::vector<std::uint8_t> save() const;

  /// @throws std::invalid_argument unless the bytes were saved by a run with the same config, seed,
  ///         batch size and scalar
  void load(std::span<const std::uint8_t> bytes);

 private:
  /// Windows of block_size + 1 tokens, each start equally likely. One stream always gives the
  /// same windows.
  void draw(std::span<const int> text, int windows, std::uint64_t stream);

  TrainingOptions options_;
  Workers workers_;
  Gpt<T> model_;
  std::vector<int> training_, validation_;
  Activations<T> activations_;
  BackwardScratch<T> scratch_;
  std::vector<Activations<T>> validation_activations_;  // empty until a validation loss is computed
  std::vector<T> gradient_, first_, second_;
  std::vector<int> inputs_, targets_;
  int steps_ = 0;
  bool diverged_ = false;
};

}  // namespace attn

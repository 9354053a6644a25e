#include "wasm/train/run.h"

#include <utility>

#include "core/check.h"

namespace attn::wasm {
namespace {

void require(const char* name, int value, int lowest, int highest) {
  if (value < lowest || value > highest) {
    refuse(name, "a whole number, " + text_of(lowest) + " to " + text_of(highest), text_of(value));
  }
}

TrainingOptions options_of(const Settings& settings) {
  require("batchSize", settings.batch_size, 1, 1024);
  require("steps", settings.steps, 1, 1000000000);
  require("warmupSteps", settings.warmup_steps, 0, 1000000000);
  TrainingOptions options;
  options.config = settings.config;
  options.config.attention = settings.attention;
  options.seed = settings.seed;
  options.batch_size = settings.batch_size;
  options.schedule.total_steps = settings.steps;
  options.schedule.warmup_steps = settings.warmup_steps;
  options.schedule.peak = settings.learning_rate;
  options.threads = threads();
  return options;
}

Tokenizer tokenizer_of(const Settings& settings, const std::string& text) {
  require_config(settings.config);
  return Tokenizer(text, settings.config.vocab_size);
}

}  // namespace

#ifdef __EMSCRIPTEN_PTHREADS__
int threads() noexcept { return 2; }
#else
int threads() noexcept { return 1; }
#endif

Run::Run(const Settings& settings, const std::string& text)
    : tokenizer_(tokenizer_of(settings, text)) {
  const std::vector<int> tokens = tokenizer_.encode(text);
  Split split = split_by_lines(tokens, tokenizer_.encode("\n").front());
  // If the rest is too short to measure on, the run has no validation loss.
  if (split.validation.size() <= static_cast<std::size_t>(settings.config.block_size)) {
    split.validation = {};
  }
  trainer_ =
      std::make_unique<Trainer<float>>(options_of(settings), split.training, split.validation);
  training_tokens_ = split.training.size();
  validation_tokens_ = split.validation.size();
}

Run::Run(const std::vector<std::uint8_t>& weights) : Run(unpack(weights)) {}

Run::Run(TrainedModel model)
    : tokenizer_(std::move(model.tokenizer)),
      trained_(std::make_unique<Gpt<float>>(std::move(model.gpt))) {}

Trainer<float>& Run::trainer() {
  if (!trainer_) refuse("run", "one that learns", "a model opened for reading");
  return *trainer_;
}

}  // namespace attn::wasm

#include <algorithm>
#include <array>
#include <numeric>

#include "core/check.h"
#include "core/gpt/token_losses.h"
#include "wasm/function.h"
#include "wasm/train/results.h"
#include "wasm/train/run.h"

namespace attn::wasm {

/// The models of the case study.
enum class Preset { kSmall, kLarge };

}  // namespace attn::wasm

namespace attn {

template <>
inline constexpr std::array<std::string_view, 2> names<wasm::Preset> = {"small", "large"};

}  // namespace attn

namespace attn::wasm {
namespace {

constexpr int kMostSteps = 100000, kMostPasses = 10000, kMostCharacters = 100000;

void require_count(std::string_view name, int value, int lowest, int highest) {
  if (value < lowest || value > highest) {
    refuse(name, "a whole number, " + text_of(lowest) + " to " + text_of(highest), text_of(value));
  }
}

std::vector<std::string> characters_of(const Tokenizer& tokenizer, std::span<const int> ids) {
  std::vector<std::string> characters;
  for (const int id : ids) characters.push_back(tokenizer.character(id));
  return characters;
}

/// The last block_size characters of a text, as a model reads them.
struct Window {
  std::vector<int> ids;
  int skipped;

  Window(Run& run, const std::string& text) : ids(run.tokenizer().encode(text)) {
    if (ids.empty()) refuse("text", "at least one character", "none");
    skipped = std::max(0, static_cast<int>(ids.size()) - run.model().config().block_size);
    ids.erase(ids.begin(), ids.begin() + skipped);
  }
};

/// One pass of the model over a window.
struct Pass : Window {
  Activations<float> activations;

  Pass(Run& run, const std::string& text)
      : Window(run, text), activations(run.model().config(), 1, static_cast<int>(ids.size())) {
    Workers workers(1);
    run.model().forward(ids, activations, workers);
  }
};

Settings preset(Preset which) {
  Settings settings;
  settings.config = which == Preset::kSmall ? small_case(AttentionKind::kScaled)
                                            : large_case(AttentionKind::kScaled);
  return settings;
}

std::unique_ptr<Run> create(const Settings& settings, const std::string& text) {
  return std::make_unique<Run>(settings, text);
}

std::unique_ptr<Run> open_model(const std::vector<std::uint8_t>& weights) {
  return std::make_unique<Run>(weights);
}

GptConfig config(Run& run) { return run.model().config(); }

Sizes sizes(Run& run) {
  return {run.training_tokens(), run.validation_tokens(), count_parameters(run.model().config())};
}

Steps step(Run& run, int steps) {
  Trainer<float>& trainer = run.trainer();
  require_count("steps", steps, 1, kMostSteps);
  Steps result;
  for (int i = 0; i < steps; ++i) {
    const StepResult made = trainer.step();
    if (trainer.diverged()) break;
    result.losses.push_back(made.loss);
    result.gradient_norms.push_back(made.gradient_norm);
    result.learning_rates.push_back(made.learning_rate);
  }
  result.steps = trainer.steps();
  result.diverged = trainer.diverged();
  return result;
}

void set_learning_rate(Run& run, double rate) { run.trainer().set_learning_rate(rate); }

void set_threads(Run& run, int threads) { run.trainer().workers().use(threads); }

Diagnostics diagnostics(Run& run, int layer) {
  Trainer<float>& trainer = run.trainer();
  if (trainer.steps() == 0) refuse("run", "one that has made a step", "one that has made none");
  return diagnose(trainer.model(), trainer.activations(), layer);
}

double validation_loss(Run& run, int passes) {
  Trainer<float>& trainer = run.trainer();
  require_count("passes", passes, 1, kMostPasses);
  return trainer.validation_loss(passes);
}

double validation_loss_without(Run& run, int layer, int head, int passes) {
  Trainer<float>& trainer = run.trainer();
  require_count("passes", passes, 1, kMostPasses);
  return trainer.validation_loss_without(layer, head, passes);
}

Encoded encode(Run& run, const std::string& text) {
  Encoded encoded;
  encoded.ids = run.tokenizer().encode(text);
  encoded.characters = characters_of(run.tokenizer(), encoded.ids);
  return encoded;
}

/// The characters of all ids.
std::vector<std::string> vocabulary(Run& run) {
  std::vector<int> ids(static_cast<std::size_t>(run.tokenizer().vocab_size()));
  std::iota(ids.begin(), ids.end(), 0);
  return characters_of(run.tokenizer(), ids);
}

Sample write_on(Run& run, const SampleSettings& settings) {
  require_count("topK", settings.top_k, 0, 65536);
  require_count("count", settings.count, 0, kMostCharacters);
  const SamplingOptions options{settings.temperature, settings.top_k, settings.cached};
  const std::vector<int> prompt = run.tokenizer().encode(settings.prompt);
  Sample result;
  result.ids = sample<float>(run.model(), prompt, settings.count, options, settings.seed);
  result.text = run.tokenizer().decode(result.ids);
  result.characters = characters_of(run.tokenizer(), result.ids);
  result.unknown_in_prompt =
      static_cast<int>(std::count(prompt.begin(), prompt.end(), Tokenizer::kUnknown));
  const int read = static_cast<int>(prompt.size()) + settings.count - 1;
  result.beyond_block = read > run.model().config().block_size;
  return result;
}

/// The values of the last block_size characters' pass.
Forward forward(Run& run, const std::string& text) {
  const Window window(run, text);
  return {window.ids, characters_of(run.tokenizer(), window.ids),
          trace_forward(run.model(), window.ids)};
}

AttentionMap attention_map(Run& run, const std::string& text, int layer, int head) {
  const GptConfig& model = run.model().config();
  require_count("layer", layer, 0, model.n_layers - 1);
  require_count("head", head, 0, model.n_heads - 1);
  const Pass pass(run, text);
  const int n = pass.activations.length;
  const std::span<const float> weights = pass.activations.probabilities(layer, 0, head);
  AttentionMap map;
  map.weights.resize(n, n);
  std::copy(weights.begin(), weights.end(), map.weights.data());
  map.characters = characters_of(run.tokenizer(), pass.ids);
  map.skipped = pass.skipped;
  return map;
}

Portraits portraits(Run& run, const std::string& text) {
  const GptConfig& model = run.model().config();
  const Pass pass(run, text);
  const int n = pass.activations.length;
  Portraits result;
  for (int l = 0; l < model.n_layers; ++l) {
    std::vector<HeadPortrait>& heads = result.layers.emplace_back();
    for (int h = 0; h < model.n_heads; ++h) {
      heads.push_back(portrait(pass.activations.probabilities(l, 0, h), n));
    }
  }
  result.uniform = uniform_portrait(n);
  result.skipped = pass.skipped;
  return result;
}

std::vector<double> losses(Run& run, const std::string& text) {
  return token_losses(run.model(), Window(run, text).ids);
}

std::vector<double> losses_without(Run& run, const std::string& text, int layer, int head) {
  return token_losses_without(run.model(), Window(run, text).ids, layer, head);
}

/// 16 hexadecimal digits.
std::string parameter_hash(Run& run) {
  std::uint64_t hash = digest<float>(run.model().parameters());
  std::string text(16, '0');
  for (std::size_t i = 16; i-- > 0; hash >>= 4) text[i] = "0123456789abcdef"[hash & 15];
  return text;
}

val parameters(Run& run) {
  return copy_of(view_of(std::span<const float>(run.model().parameters())));
}

void set_parameters(Run& run, const std::vector<float>& numbers) {
  const std::span<float> all = run.model().parameters();
  if (numbers.size() != all.size()) {
    refuse("parameters", text_of(all.size()) + " numbers", text_of(numbers.size()));
  }
  std::copy(numbers.begin(), numbers.end(), all.begin());
}

std::vector<std::uint8_t> save(Run& run) { return run.trainer().save(); }

Progress load(Run& run, const std::vector<std::uint8_t>& state) {
  Trainer<float>& trainer = run.trainer();
  trainer.load(state);
  return {trainer.steps(), trainer.diverged()};
}

double memory_bytes() { return static_cast<double>(__builtin_wasm_memory_size(0)) * 65536; }

}  // namespace
}  // namespace attn::wasm

EMSCRIPTEN_BINDINGS(train) {
  using namespace attn::wasm;
  bind<&preset>("preset");
  bind<&create>("create");
  bind<&open_model>("openModel");
  emscripten::function("threads", &threads);
  emscripten::function("memoryBytes", &memory_bytes);

  emscripten::class_<Run> run("Run");
  bind<&config>(run, "config");
  bind<&sizes>(run, "sizes");
  bind<&step>(run, "step");
  bind<&set_learning_rate>(run, "setLearningRate");
  bind<&set_threads>(run, "setThreads");
  bind<&diagnostics>(run, "diagnostics");
  bind<&validation_loss>(run, "validationLoss");
  bind<&validation_loss_without>(run, "validationLossWithout");
  bind<&encode>(run, "encode");
  bind<&vocabulary>(run, "vocabulary");
  bind<&write_on>(run, "sample");
  bind<&forward>(run, "forward");
  bind<&attention_map>(run, "attentionMap");
  bind<&portraits>(run, "portraits");
  bind<&losses>(run, "tokenLosses");
  bind<&losses_without>(run, "tokenLossesWithout");
  bind<&parameter_hash>(run, "parameterHash");
  bind<&parameters>(run, "parameters");
  bind<&set_parameters>(run, "setParameters");
  bind<&save>(run, "save");
  bind<&load>(run, "load");
}

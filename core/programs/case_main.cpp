// One experiment of the case study, printed as JSON: `attn_case train …`, `attn_case sweep` or
// `attn_case pack …`.
// web/tools/case.mjs runs them all. Nothing it prints depends on the machine or on the time.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <cstring>
#include <fstream>
#include <iostream>
#include <iterator>
#include <nlohmann/json.hpp>

#include "core/gpt/compact.h"
#include "core/gpt/diagnostics.h"
#include "core/gpt/trainer.h"
#include "core/programs/case_changes.h"
#include "core/programs/case_measures.h"
#include "core/rng.h"

namespace {

using Json = nlohmann::ordered_json;
using attn::AttentionKind;

const std::vector<std::string> kKinds(attn::names<AttentionKind>.begin(),
                                      attn::names<AttentionKind>.end());

constexpr int kCurveEvery = 10, kShortCurveEvery = 50, kDiagnosticsEvery = 74;  // steps
constexpr int kFirstLosses = 20;  // kept step by step, for comparison with a short run
constexpr int kLastLosses = 50;   // the quoted loss is their mean

struct TrainArguments {
  std::string corpus, preset = "small", attention = "scaled", weights, packed;
  std::uint64_t seed = 20261014;
  std::vector<std::string> changes;
  int steps = 1500, threads = 2;
  int heads = 0, width = 0;  // in place of the preset's, if not 0
  bool moments = false;

  /// A run with another model or recipe than the course's, whose record is short.
  bool changed() const { return !changes.empty() || heads > 0 || width > 0; }
};

std::string read(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw std::runtime_error(path + ": cannot be read");
  return {std::istreambuf_iterator<char>(file), {}};
}

template <class N>
void write(const std::string& path, std::span<const N> numbers) {
  std::ofstream file(path, std::ios::binary);
  file.write(reinterpret_cast<const char*>(numbers.data()),
             static_cast<std::streamsize>(numbers.size_bytes()));
  if (!file.flush()) throw std::runtime_error(path + ": cannot be written");
}

std::string hex(std::uint64_t number) {
  char text[17];
  std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(number));
  return text;
}

Json settings_of(const TrainArguments& arguments, const attn::TrainingOptions& options) {
  const attn::GptConfig& c = options.config;
  const bool own = arguments.heads > 0 || arguments.width > 0;
  return {{"preset", own ? "own" : arguments.preset},
          {"config",
           {{"vocabSize", c.vocab_size},
            {"blockSize", c.block_size},
            {"nLayers", c.n_layers},
            {"nHeads", c.n_heads},
            {"dModel", c.d_model},
            {"dFf", c.d_ff}}},
          {"attention", arguments.attention},
          {"seed", options.seed},
          {"batchSize", options.batch_size},
          {"steps", options.schedule.total_steps},
          {"warmupSteps", options.schedule.warmup_steps},
          {"learningRate", options.schedule.peak}};
}

attn::TrainingOptions options_of(const TrainArguments& arguments) {
  attn::TrainingOptions options;
  const AttentionKind kind = *attn::named<AttentionKind>(arguments.attention);
  options.config = arguments.preset == "large" ? attn::large_case(kind) : attn::small_case(kind);
  if (arguments.heads > 0) options.config.n_heads = arguments.heads;
  if (arguments.width > 0) {
    options.config.d_model = arguments.width;
    options.config.d_ff = 2 * arguments.width;
  }
  options.seed = arguments.seed;
  options.schedule.total_steps = arguments.steps;
  options.threads = arguments.threads;
  for (const std::string& change : arguments.changes) attn::apply_change(change, options);
  return options;
}

/// A run on the corpus before its first step.
struct CaseRun {
  explicit CaseRun(const TrainArguments& arguments) : CaseRun(arguments, read(arguments.corpus)) {}

  CaseRun(const TrainArguments& arguments, const std::string& corpus)
      : options(options_of(arguments)),
        text(corpus, options.config.vocab_size,
             std::ranges::find(arguments.changes, "couplets") != arguments.changes.end()),
        split(text.split()),
        trainer(options, split.training, split.validation) {}

  attn::TrainingOptions options;
  attn::CaseText text;
  attn::Split split;
  attn::Trainer<float> trainer;
};

/// The losses of the last steps by the kind of their targets.
struct LossByTarget {
  double unknown = 0, others = 0;  // sums
  int unknown_count = 0, other_count = 0;

  /// Adds those of the step that was just made.
  void add(const attn::Trainer<float>& trainer) {
    const std::span<const int> targets = trainer.targets();
    for (std::size_t i = 0; i < targets.size(); ++i) {
      const bool is_unknown = targets[i] == attn::Tokenizer::kUnknown;
      (is_unknown ? unknown : others) += trainer.activations().losses[i];
      ++(is_unknown ? unknown_count : other_count);
    }
  }

  Json to_json() const {
    return {{"unknownShare", static_cast<double>(unknown_count) / (unknown_count + other_count)},
            {"unknown", unknown / unknown_count},
            {"others", others / other_count}};
  }
};

Json train(const TrainArguments& arguments) {
  CaseRun run(arguments);
  const bool changed = arguments.changed();
  const attn::TrainingOptions& options = run.options;
  attn::Trainer<float>& trainer = run.trainer;

  Json result = settings_of(arguments, options);
  if (!arguments.changes.empty()) result["changes"] = arguments.changes;
  result["parameters"] = attn::count_parameters(options.config).total;
  result["trainingTokens"] = run.split.training.size();
  result["validationTokens"] = run.split.validation.size();
  const std::vector<int>& tokens = run.text.tokens;
  result["unknownShare"] =
      static_cast<double>(std::ranges::count(tokens, attn::Tokenizer::kUnknown)) /
      static_cast<double>(tokens.size());
  const Json before = attn::scales(trainer, run.split.validation);

  Json curve = Json::array(), norms = Json::array(), diagnostics = Json::array();
  Json moments = Json::array();
  std::vector<double> losses;
  LossByTarget by_target;
  const int curve_every = changed ? kShortCurveEvery : kCurveEvery;
  double largest_norm = 0;
  int largest_at = 0;
  for (int i = 0; i < arguments.steps; ++i) {
    if (arguments.moments && i % kDiagnosticsEvery == 0) {
      moments.push_back(attn::moment(trainer, run.text.tokenizer, i));
    }
    const attn::StepResult step = trainer.step();
    if (trainer.diverged()) break;
    losses.push_back(step.loss);
    if (i >= arguments.steps - kLastLosses) by_target.add(trainer);
    if (step.gradient_norm > largest_norm) {
      largest_norm = step.gradient_norm;
      largest_at = i;
    }
    if (i % curve_every == 0 || i == arguments.steps - 1) {
      curve.push_back({i, step.loss});
      norms.push_back({i, step.gradient_norm});
    }
    if ((i % kDiagnosticsEvery == 0 && !changed) || i == arguments.steps - 1) {
      diagnostics.push_back({{"step", i}});
      diagnostics.back().update(
          attn::to_json(attn::diagnose(trainer.model(), trainer.activations(), 0)));
    }
    if (i % 100 == 0) std::cerr << "step " << i << ", loss " << step.loss << '\n';
  }
  const auto last = std::min<std::size_t>(kLastLosses, losses.size());
  double sum = 0;
  for (std::size_t i = losses.size() - last; i < losses.size(); ++i) sum += losses[i];
  result["stepsDone"] = losses.size();
  result["diverged"] = trainer.diverged();
  result["finalLoss"] = last > 0 ? Json(sum / static_cast<double>(last)) : Json();
  if (!trainer.diverged()) result["lossByTarget"] = by_target.to_json();
  result["largestGradientNorm"] = {{"step", largest_at}, {"norm", largest_norm}};
  result["firstLosses"] = std::vector<double>(
      losses.begin(), losses.begin() + static_cast<std::ptrdiff_t>(
                                           std::min<std::size_t>(kFirstLosses, losses.size())));
  result["losses"] = curve;
  result["gradientNorms"] = norms;
  result["diagnostics"] = diagnostics;
  result["parameterHash"] = hex(attn::digest<float>(trainer.model().parameters()));
  if (!trainer.diverged()) {
    result["validationLoss"] = trainer.validation_loss();
  }
  if (!trainer.diverged() && !changed) {
    result["scales"] = {{"before", before}, {"after", attn::scales(trainer, run.split.validation)}};
    result["portraits"] = attn::portraits(trainer, run.split.validation);
    result["validationLossWithout"] = attn::ablation(trainer);
    result["samples"] = attn::samples(trainer, run.text.tokenizer);
  }
  if (arguments.moments) {
    if (!trainer.diverged()) {
      moments.push_back(attn::moment(trainer, run.text.tokenizer, arguments.steps));
    }
    result["moments"] = {{"text", attn::kVerse}, {"prompt", "春"}, {"moments", moments}};
  }
  if (!arguments.weights.empty()) {
    write(arguments.weights, std::span<const float>(trainer.model().parameters()));
  }
  return result;
}

/// Packs the parameters of a run and measures the increase of the loss.
Json pack(const TrainArguments& arguments) {
  CaseRun run(arguments);
  const attn::TrainingOptions& options = run.options;
  attn::Trainer<float>& trainer = run.trainer;
  const std::span<float> parameters = trainer.model().parameters();

  const std::string weights = read(arguments.weights);
  if (weights.size() != parameters.size_bytes()) {
    throw std::runtime_error(arguments.weights + ": the parameters of another model");
  }
  std::memcpy(parameters.data(), weights.data(), weights.size());
  Json result = settings_of(arguments, options);
  result["parameterHash"] = hex(attn::digest<float>(trainer.model().parameters()));
  result["rawBytes"] = weights.size();
  const double before = trainer.validation_loss();

  const std::vector<std::uint8_t> packed =
      attn::pack(options.config, run.text.tokenizer, parameters);
  write(arguments.packed, std::span<const std::uint8_t>(packed));
  const attn::TrainedModel model = attn::unpack(packed);
  std::copy(model.gpt.parameters().begin(), model.gpt.parameters().end(), parameters.begin());
  const double after = trainer.validation_loss();
  result["bytes"] = packed.size();
  result["packedHash"] = hex(attn::digest<float>(model.gpt.parameters()));
  result["validationLoss"] = {{"before", before}, {"after", after}, {"cost", after - before}};
  return result;
}

/// X1: untrained models of one layer and one head, d_model = head width = d, on 8 × 32 random
/// tokens of 300. A narrow model is a small sample, so 512 ÷ d of them are averaged.
Json sweep() {
  constexpr int kVocab = 300, kLength = 32, kSequences = 8, kWidest = 512;
  Json rows = Json::array();
  attn::Workers workers(1);
  for (int d = 32; d <= kWidest; d *= 2) {
    Json row = {{"d", d}, {"models", kWidest / d}};
    for (const auto& [name, kind] : {std::pair{"scaled", AttentionKind::kScaled},
                                     std::pair{"unscaled", AttentionKind::kUnscaled}}) {
      double deviation = 0, entropy = 0, jacobian = 0;
      for (int i = 0; i < kWidest / d; ++i) {
        const auto seed = static_cast<std::uint64_t>(i);
        attn::Rng rng(seed);
        std::vector<int> tokens;
        while (tokens.size() < kLength * kSequences) {
          tokens.push_back(static_cast<int>(rng.below(kVocab)));
        }
        const attn::GptConfig config{kVocab, kLength, 1, 1, d, d, kind};
        const attn::Gpt<float> gpt(config, seed);
        attn::Activations<float> a(config, kSequences, kLength);
        gpt.forward(tokens, a, workers);
        const attn::Diagnostics one = attn::diagnose(gpt, a, 0);
        deviation += one.logit_deviation * d / kWidest;
        entropy += one.entropy * d / kWidest;
        jacobian += one.jacobian_norm * d / kWidest;
      }
      row[name] = {{"logitDeviation", deviation}, {"entropy", entropy}, {"jacobianNorm", jacobian}};
    }
    rows.push_back(row);
  }
  return {{"vocabSize", kVocab}, {"length", kLength}, {"sequences", kSequences}, {"rows", rows}};
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("One experiment of the case study, as JSON.");
  app.require_subcommand(1);
  TrainArguments arguments;
  CLI::App* training = app.add_subcommand("train", "one training run");
  CLI::App* packing = app.add_subcommand("pack", "packs the parameters of a run");
  for (CLI::App* command : {training, packing}) {
    command->add_option("--corpus", arguments.corpus, "UTF-8 text, one poem a line")->required();
    command->add_option("--preset", arguments.preset)->check(CLI::IsMember({"small", "large"}));
    command->add_option("--attention", arguments.attention)->check(CLI::IsMember(kKinds));
    command->add_option("--seed", arguments.seed);
    command->add_option("--threads", arguments.threads)->check(CLI::Range(1, 64));
  }
  training->add_option("--steps", arguments.steps)->check(CLI::Range(1, 1000000));
  training->add_option("--change", arguments.changes, "changes to the recipe")
      ->check(CLI::IsMember(attn::change_names()));
  training->add_option("--heads", arguments.heads, "in place of the preset's")
      ->check(CLI::Range(1, 64));
  training
      ->add_option("--width", arguments.width, "d_model; the feed-forward layer is twice as wide")
      ->check(CLI::Range(1, 4096));
  training->add_flag("--moments", arguments.moments, "also maps and poems during the run");
  training->add_option("--weights", arguments.weights, "file for the parameters, raw float32");
  packing->add_option("--weights", arguments.weights, "the parameters, raw float32")->required();
  packing->add_option("--out", arguments.packed, "file for the packed parameters")->required();
  CLI::App* sweeping =
      app.add_subcommand("sweep", "logits of untrained models against their width");
  CLI11_PARSE(app, argc, argv);
  try {
    const Json result = sweeping->parsed()  ? sweep()
                        : packing->parsed() ? pack(arguments)
                                            : train(arguments);
    std::cout << result.dump(1) << '\n';
  } catch (const std::exception& error) {
    std::cerr << error.what() << '\n';
    return 1;
  }
}

// One experiment of the case study, printed as JSON: `attn_case train …`, `attn_case sweep` or
// `attn_case pack …`.
// web/tools/case.mjs runs them all. Nothing it prints depends on the machine or on the time.
#include <CLI/CLI.hpp>
#include <cmath>
#include <cstring>
#include <fstream>
#include <iostream>
#include <iterator>
#include <nlohmann/json.hpp>

#include "core/gpt/compact.h"
#include "core/gpt/diagnostics.h"
#include "core/gpt/sampling.h"
#include "core/gpt/tokenizer.h"
#include "core/gpt/trainer.h"
#include "core/rng.h"

namespace {

using Json = nlohmann::ordered_json;
using attn::AttentionKind;

const std::vector<std::string> kKinds(attn::names<AttentionKind>.begin(),
                                      attn::names<AttentionKind>.end());

constexpr int kCurveEvery = 10, kDiagnosticsEvery = 74;  // steps
constexpr int kFirstLosses = 20;         // kept step by step, for comparison with a short run
constexpr int kLastLosses = 50;          // the quoted loss is their mean
constexpr int kPieces = 3, kPiece = 24;  // texts for the statistics of the heads
constexpr int kSampleLength = 64;
/// The text whose maps show the course of a run: a poem of the corpus.
constexpr char kVerse[] = "萬里邊城遠，千山行路難。舉頭唯見日，何處是長安。";

struct TrainArguments {
  std::string corpus, preset = "small", attention = "scaled", weights, packed;
  std::uint64_t seed = 20261014;
  int steps = 1500, threads = 2;
  bool moments = false;
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

Json to_json(const attn::Diagnostics& d) {
  return {{"entropy", d.entropy},
          {"logitDeviation", d.logit_deviation},
          {"largestLogit", d.largest_logit},
          {"jacobianNorm", d.jacobian_norm},
          {"queryDeviation", d.query_deviation},
          {"keyDeviation", d.key_deviation},
          {"qkvNorm", d.qkv_norm},
          {"diagonal", d.diagonal},
          {"largestRowSum", d.largest_row_sum}};
}

Json to_json(const attn::HeadPortrait& head) {
  return {{"entropy", head.entropy},
          {"diagonal", head.diagonal},
          {"previous", head.previous},
          {"distance", head.distance}};
}

Json settings_of(const TrainArguments& arguments, const attn::TrainingOptions& options) {
  const attn::GptConfig& c = options.config;
  return {{"preset", arguments.preset},
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

/// Layer 0 on one batch that is the same for all runs: the first windows of the
/// validation text (X4).
Json scales(attn::Trainer<float>& trainer, std::span<const int> validation) {
  const attn::TrainingOptions& options = trainer.options();
  const auto size = static_cast<std::size_t>(options.batch_size * options.config.block_size);
  attn::Activations<float> a(options.config, options.batch_size, options.config.block_size);
  trainer.model().forward(validation.first(size), a, trainer.workers());
  return to_json(attn::diagnose(trainer.model(), a, 0));
}

/// The four statistics of every head, averaged over pieces of the validation text (X5).
Json portraits(attn::Trainer<float>& trainer, std::span<const int> validation) {
  const attn::GptConfig& config = trainer.options().config;
  attn::Activations<float> a(config, kPieces, kPiece);
  trainer.model().forward(validation.first(kPieces * kPiece), a, trainer.workers());
  Json heads = Json::array();
  for (int layer = 0; layer < config.n_layers; ++layer) {
    for (int head = 0; head < config.n_heads; ++head) {
      attn::HeadPortrait mean{};
      for (int piece = 0; piece < kPieces; ++piece) {
        const auto one = attn::portrait(a.probabilities(layer, piece, head), kPiece);
        mean.entropy += one.entropy / kPieces;
        mean.diagonal += one.diagonal / kPieces;
        mean.previous += one.previous / kPieces;
        mean.distance += one.distance / kPieces;
      }
      heads.push_back({{"layer", layer}, {"head", head}});
      heads.back().update(to_json(mean));
    }
  }
  return {{"pieces", kPieces},
          {"positions", kPiece},
          {"uniform", to_json(attn::uniform_portrait(kPiece))},
          {"heads", heads}};
}

/// The validation loss without each head (X6).
Json ablation(attn::Trainer<float>& trainer) {
  const attn::GptConfig& config = trainer.options().config;
  Json heads = Json::array();
  for (int layer = 0; layer < config.n_layers; ++layer) {
    for (int head = 0; head < config.n_heads; ++head) {
      heads.push_back({{"layer", layer},
                       {"head", head},
                       {"loss", trainer.validation_loss_without(layer, head)}});
    }
  }
  return heads;
}

Json samples(attn::Trainer<float>& trainer, const attn::Tokenizer& tokenizer) {
  Json all = Json::array();
  for (const char* prompt : {"春", "明月", "\n"}) {
    for (const attn::SamplingOptions options : {attn::SamplingOptions{0, 0}, {0.8, 20}, {1, 0}}) {
      const auto ids = attn::sample<float>(trainer.model(), tokenizer.encode(prompt), kSampleLength,
                                           options, trainer.options().seed);
      all.push_back({{"prompt", prompt},
                     {"temperature", options.temperature},
                     {"topK", options.top_k},
                     {"seed", trainer.options().seed},
                     {"text", tokenizer.decode(ids)}});
    }
  }
  return all;
}

/// The weights of every head on the verse, in thousandths: row by row, each row up to its own
/// position.
Json maps(attn::Trainer<float>& trainer, std::span<const int> verse) {
  const attn::GptConfig& config = trainer.options().config;
  const int n = static_cast<int>(verse.size());
  attn::Activations<float> a(config, 1, n);
  trainer.model().forward(verse, a, trainer.workers());
  Json heads = Json::array();
  for (int layer = 0; layer < config.n_layers; ++layer) {
    for (int head = 0; head < config.n_heads; ++head) {
      const auto weights = a.probabilities(layer, 0, head);
      std::vector<int> thousandths;
      for (int i = 0; i < n; ++i) {
        for (int j = 0; j <= i; ++j) {
          const float weight = weights[static_cast<std::size_t>(i * n + j)];
          thousandths.push_back(static_cast<int>(std::lround(1000 * weight)));
        }
      }
      heads.push_back({{"layer", layer}, {"head", head}, {"weights", thousandths}});
    }
  }
  return heads;
}

/// The model after a number of steps, as a reader of a live run sees it: a poem, and the maps.
Json moment(attn::Trainer<float>& trainer, const attn::Tokenizer& tokenizer, int steps) {
  const attn::SamplingOptions drawn{1, 0};
  const auto poem = attn::sample<float>(trainer.model(), tokenizer.encode("春"), kSampleLength,
                                        drawn, trainer.options().seed);
  return {{"steps", steps},
          {"poem", tokenizer.decode(poem)},
          {"maps", maps(trainer, tokenizer.encode(kVerse))}};
}

attn::TrainingOptions options_of(const TrainArguments& arguments) {
  attn::TrainingOptions options;
  const AttentionKind kind = *attn::named<AttentionKind>(arguments.attention);
  options.config = arguments.preset == "large" ? attn::large_case(kind) : attn::small_case(kind);
  options.seed = arguments.seed;
  options.schedule.total_steps = arguments.steps;
  options.threads = arguments.threads;
  return options;
}

/// A run on the corpus before its first step.
struct CaseRun {
  explicit CaseRun(const TrainArguments& arguments) : CaseRun(arguments, read(arguments.corpus)) {}

  CaseRun(const TrainArguments& arguments, const std::string& text)
      : options(options_of(arguments)),
        tokenizer(text, options.config.vocab_size),
        tokens(tokenizer.encode(text)),
        split(attn::split_by_lines(tokens, tokenizer.encode("\n").front())),
        trainer(options, split.training, split.validation) {}

  attn::TrainingOptions options;
  attn::Tokenizer tokenizer;
  std::vector<int> tokens;
  attn::Split split;
  attn::Trainer<float> trainer;
};

Json train(const TrainArguments& arguments) {
  CaseRun run(arguments);
  const attn::TrainingOptions& options = run.options;
  attn::Trainer<float>& trainer = run.trainer;

  Json result = settings_of(arguments, options);
  result["parameters"] = attn::count_parameters(options.config).total;
  result["trainingTokens"] = run.split.training.size();
  result["validationTokens"] = run.split.validation.size();
  result["unknownShare"] = static_cast<double>(std::count(run.tokens.begin(), run.tokens.end(),
                                                          attn::Tokenizer::kUnknown)) /
                           static_cast<double>(run.tokens.size());
  const Json before = scales(trainer, run.split.validation);

  Json curve = Json::array(), norms = Json::array(), diagnostics = Json::array();
  Json moments = Json::array();
  std::vector<double> losses;
  for (int i = 0; i < arguments.steps; ++i) {
    if (arguments.moments && i % kDiagnosticsEvery == 0) {
      moments.push_back(moment(trainer, run.tokenizer, i));
    }
    const attn::StepResult step = trainer.step();
    if (trainer.diverged()) break;
    losses.push_back(step.loss);
    if (i % kCurveEvery == 0 || i == arguments.steps - 1) {
      curve.push_back({i, step.loss});
      norms.push_back({i, step.gradient_norm});
    }
    if (i % kDiagnosticsEvery == 0 || i == arguments.steps - 1) {
      diagnostics.push_back({{"step", i}});
      diagnostics.back().update(to_json(attn::diagnose(trainer.model(), trainer.activations(), 0)));
    }
    if (i % 100 == 0) std::cerr << "step " << i << ", loss " << step.loss << '\n';
  }
  const auto last = std::min<std::size_t>(kLastLosses, losses.size());
  double sum = 0;
  for (std::size_t i = losses.size() - last; i < losses.size(); ++i) sum += losses[i];
  result["stepsDone"] = losses.size();
  result["diverged"] = trainer.diverged();
  result["finalLoss"] = last > 0 ? Json(sum / static_cast<double>(last)) : Json();
  result["firstLosses"] = std::vector<double>(
      losses.begin(), losses.begin() + static_cast<std::ptrdiff_t>(
                                           std::min<std::size_t>(kFirstLosses, losses.size())));
  result["losses"] = curve;
  result["gradientNorms"] = norms;
  result["diagnostics"] = diagnostics;
  result["parameterHash"] = hex(attn::digest<float>(trainer.model().parameters()));
  if (!trainer.diverged()) {
    result["validationLoss"] = trainer.validation_loss();
    result["scales"] = {{"before", before}, {"after", scales(trainer, run.split.validation)}};
    result["portraits"] = portraits(trainer, run.split.validation);
    result["validationLossWithout"] = ablation(trainer);
    result["samples"] = samples(trainer, run.tokenizer);
  }
  if (arguments.moments) {
    if (!trainer.diverged()) moments.push_back(moment(trainer, run.tokenizer, arguments.steps));
    result["moments"] = {{"text", kVerse}, {"prompt", "春"}, {"moments", moments}};
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

  const std::vector<std::uint8_t> packed = attn::pack(options.config, run.tokenizer, parameters);
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

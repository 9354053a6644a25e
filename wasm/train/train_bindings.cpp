#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/check.h"
#include "core/gpt/compact.h"
#include "core/gpt/diagnostics.h"
#include "core/gpt/sampling.h"
#include "core/gpt/token_losses.h"
#include "core/gpt/tokenizer.h"
#include "core/gpt/trainer.h"
#include "wasm/train/fields.h"

namespace attn::wasm {
namespace {

/// Field names of a config, in JavaScript.
struct ConfigField {
  const char* name;
  int GptConfig::*member;
};
constexpr ConfigField kConfigFields[] = {
    {"vocabSize", &GptConfig::vocab_size}, {"blockSize", &GptConfig::block_size},
    {"nLayers", &GptConfig::n_layers},     {"nHeads", &GptConfig::n_heads},
    {"dModel", &GptConfig::d_model},       {"dFf", &GptConfig::d_ff}};

constexpr int kMostPasses = 10000;

/// Of a run that learns: in the build with threads, the caller's and its one helper.
#ifdef __EMSCRIPTEN_PTHREADS__
constexpr int kThreads = 2;
#else
constexpr int kThreads = 1;
#endif

/// A model with its vocabulary, kept under a number until it is removed: one that learns, or one
/// that was learnt elsewhere.
struct Run {
  Tokenizer tokenizer;
  std::unique_ptr<Trainer<float>> trainer;  // none for a model learnt elsewhere
  std::unique_ptr<Gpt<float>> learnt;       // none for one that learns

  Gpt<float>& model() { return trainer ? trainer->model() : *learnt; }
};

std::map<int, std::unique_ptr<Run>>& runs() {
  static std::map<int, std::unique_ptr<Run>> all;
  return all;
}

Run& run_from(const val& id) {
  const auto found = runs().find(static_cast<int>(integer_from(id, "run", 0, 0x7fffffff)));
  if (found == runs().end()) refuse("run", "one that is open", text_of(id.as<double>()));
  return *found->second;
}

Trainer<float>& trainer_from(const val& id) {
  const Run& run = run_from(id);
  if (!run.trainer) refuse("run", "one that learns", "a model opened for reading");
  return *run.trainer;
}

int keep(Run run) {
  static int next = 0;
  runs().emplace(next, std::make_unique<Run>(std::move(run)));
  return next++;
}

val config_to_js(const GptConfig& config) {
  Object object;
  for (const ConfigField& field : kConfigFields) object.number(field.name, config.*field.member);
  return object;
}

val hash_to_js(std::uint64_t hash) {
  std::string text(16, '0');
  for (std::size_t i = 16; i-- > 0; hash >>= 4) text[i] = "0123456789abcdef"[hash & 15];
  return val(text);
}

val characters_of(const Tokenizer& tokenizer, std::span<const int> ids) {
  Array characters;
  for (const int id : ids) characters.push(val(tokenizer.character(id)));
  return characters;
}

GptConfig config_from(const val& value) {
  const Fields fields(value, "config");
  GptConfig config;
  for (const ConfigField& field : kConfigFields) {
    config.*field.member = fields.integer(field.name, 1, 65536);
  }
  return config;
}

/// The last block_size characters of a text, as a model reads them.
struct Window {
  std::vector<int> ids;
  int skipped;

  Window(Run& run, const val& text) : ids(run.tokenizer.encode(text_from(text, "text"))) {
    if (ids.empty()) refuse("text", "at least one character", "none");
    skipped = std::max(0, static_cast<int>(ids.size()) - run.model().config().block_size);
    ids.erase(ids.begin(), ids.begin() + skipped);
  }
};

/// One pass of the model over them.
struct Pass : Window {
  Activations<float> activations;

  Pass(Run& run, const val& text)
      : Window(run, text), activations(run.model().config(), 1, static_cast<int>(ids.size())) {
    Workers workers(1);
    run.model().forward(ids, activations, workers);
  }
};

std::vector<std::uint8_t> bytes_from(const val& value, const char* name) {
  if (!value.instanceof (val::global("Uint8Array"))) {
    refuse(name, "a Uint8Array", value.typeOf().as<std::string>());
  }
  std::vector<std::uint8_t> copy(value["length"].as<std::size_t>());
  val(emscripten::typed_memory_view(copy.size(), copy.data())).call<void>("set", value);
  return copy;
}

val preset_in_js(const val& name) {
  return guarded([&]() -> val {
    TrainingOptions options;
    options.config = choice_from(name, "preset", {"small", "large"}) == 0
                         ? small_case(AttentionKind::kScaled)
                         : large_case(AttentionKind::kScaled);
    return Object()
        .value("config", config_to_js(options.config))
        .text("attention", "scaled")
        .number("seed", static_cast<double>(options.seed))
        .number("batchSize", options.batch_size)
        .number("steps", options.schedule.total_steps)
        .number("warmupSteps", options.schedule.warmup_steps)
        .number("learningRate", options.schedule.peak);
  });
}

val create_in_js(const val& value) {
  return guarded([&]() -> val {
    const Fields fields(value, "settings");
    TrainingOptions options;
    options.config = config_from(fields.get("config"));
    options.config.attention = static_cast<AttentionKind>(
        fields.choice("attention", {"scaled", "unscaled", "hidden-as-zero", "scaled-after-softmax",
                                    "no-max-subtraction", "divided-by-width"}));
    options.seed = fields.seed();
    options.batch_size = fields.integer("batchSize", 1, 1024);
    options.schedule.total_steps = fields.integer("steps", 1, 1000000000);
    options.schedule.warmup_steps = fields.integer("warmupSteps", 0, 1000000000);
    options.schedule.peak = fields.number("learningRate");
    options.threads = kThreads;
    const std::string text = fields.text("text");
    Tokenizer tokenizer(text, options.config.vocab_size);
    const std::vector<int> tokens = tokenizer.encode(text);
    Split split = split_by_lines(tokens, tokenizer.encode("\n").front());
    // What is left over may be too short to measure on; the run goes on without.
    if (split.validation.size() <= static_cast<std::size_t>(options.config.block_size)) {
      split.validation = {};
    }
    auto trainer = std::make_unique<Trainer<float>>(options, split.training, split.validation);
    const int id = keep({std::move(tokenizer), std::move(trainer), nullptr});
    const ParameterCount count = count_parameters(options.config);
    const auto number = [](std::size_t n) { return static_cast<double>(n); };
    return Object()
        .number("run", id)
        .number("trainingTokens", number(split.training.size()))
        .number("validationTokens", number(split.validation.size()))
        .value("parameters", Object()
                                 .number("tokenEmbedding", number(count.token_embedding))
                                 .number("positionEmbedding", number(count.position_embedding))
                                 .number("attention", number(count.attention))
                                 .number("feedForward", number(count.feed_forward))
                                 .number("layerNorms", number(count.layer_norms))
                                 .number("finalNorm", number(count.final_norm))
                                 .number("total", number(count.total)));
  });
}

val open_model_in_js(const val& bytes) {
  return guarded([&]() -> val {
    TrainedModel model = unpack(bytes_from(bytes, "weights"));
    const GptConfig config = model.gpt.config();
    const int id = keep(
        {std::move(model.tokenizer), nullptr, std::make_unique<Gpt<float>>(std::move(model.gpt))});
    return Object().number("run", id).value("config", config_to_js(config));
  });
}

val delete_in_js(const val& id) {
  return guarded([&]() -> val {
    run_from(id);
    runs().erase(id.as<int>());
    return Object();
  });
}

val step_in_js(const val& id, const val& steps) {
  return guarded([&]() -> val {
    Trainer<float>& trainer = trainer_from(id);
    const auto wanted = integer_from(steps, "steps", 1, 100000);
    std::vector<double> losses, norms, rates;
    for (std::int64_t i = 0; i < wanted; ++i) {
      const StepResult result = trainer.step();
      if (trainer.diverged()) break;
      losses.push_back(result.loss);
      norms.push_back(result.gradient_norm);
      rates.push_back(result.learning_rate);
    }
    return Object()
        .number("steps", trainer.steps())
        .value("diverged", val(trainer.diverged()))
        .value("losses", array_of(std::span<const double>(losses)))
        .value("gradientNorms", array_of(std::span<const double>(norms)))
        .value("learningRates", array_of(std::span<const double>(rates)));
  });
}

val set_learning_rate_in_js(const val& id, const val& peak) {
  return guarded([&]() -> val {
    trainer_from(id).set_learning_rate(number_from(peak, "learningRate"));
    return Object();
  });
}

val diagnostics_in_js(const val& id, const val& layer) {
  return guarded([&]() -> val {
    Trainer<float>& trainer = trainer_from(id);
    if (trainer.steps() == 0) refuse("run", "one that has made a step", "one that has made none");
    const auto d = diagnose(trainer.model(), trainer.activations(),
                            static_cast<int>(integer_from(layer, "layer", 0, 64)));
    return Object()
        .number("entropy", d.entropy)
        .number("logitDeviation", d.logit_deviation)
        .number("largestLogit", d.largest_logit)
        .number("jacobianNorm", d.jacobian_norm)
        .number("queryDeviation", d.query_deviation)
        .number("keyDeviation", d.key_deviation)
        .number("qkvNorm", d.qkv_norm)
        .number("diagonal", d.diagonal)
        .number("largestRowSum", d.largest_row_sum);
  });
}

val validation_loss_in_js(const val& id, const val& passes) {
  return guarded([&] {
    return val(trainer_from(id).validation_loss(
        static_cast<int>(integer_from(passes, "passes", 1, kMostPasses))));
  });
}

val validation_loss_without_in_js(const val& id, const val& layer, const val& head,
                                  const val& passes) {
  return guarded([&] {
    return val(trainer_from(id).validation_loss_without(
        static_cast<int>(integer_from(layer, "layer", 0, 64)),
        static_cast<int>(integer_from(head, "head", 0, 65536)),
        static_cast<int>(integer_from(passes, "passes", 1, kMostPasses))));
  });
}

val encode_in_js(const val& id, const val& text) {
  return guarded([&]() -> val {
    const Tokenizer& tokenizer = run_from(id).tokenizer;
    const std::vector<int> ids = tokenizer.encode(text_from(text, "text"));
    return Object()
        .value("ids", array_of(std::span<const int>(ids)))
        .value("characters", characters_of(tokenizer, ids));
  });
}

val sample_in_js(const val& id, const val& value) {
  return guarded([&]() -> val {
    Run& run = run_from(id);
    const Fields fields(value, "settings");
    SamplingOptions options;
    options.temperature = fields.number("temperature");
    options.top_k = fields.integer("topK", 0, 65536);
    options.cached = fields.flag("cached");
    const std::vector<int> prompt = run.tokenizer.encode(fields.text("prompt"));
    const int count = fields.integer("count", 0, 100000);
    const std::vector<int> ids = sample<float>(run.model(), prompt, count, options, fields.seed());
    const int block = run.model().config().block_size;
    return Object()
        .text("text", run.tokenizer.decode(ids))
        .value("ids", array_of(std::span<const int>(ids)))
        .value("characters", characters_of(run.tokenizer, ids))
        .number("unknownInPrompt",
                static_cast<double>(std::count(prompt.begin(), prompt.end(), Tokenizer::kUnknown)))
        .value("beyondBlock", val(static_cast<int>(prompt.size()) + count - 1 > block));
  });
}

val attention_map_in_js(const val& id, const val& text, const val& layer, const val& head) {
  return guarded([&]() -> val {
    Run& run = run_from(id);
    const GptConfig& config = run.model().config();
    const auto l = static_cast<int>(integer_from(layer, "layer", 0, config.n_layers - 1));
    const auto h = static_cast<int>(integer_from(head, "head", 0, config.n_heads - 1));
    const Pass pass(run, text);
    const int n = pass.activations.length;
    const std::span<const float> weights = pass.activations.probabilities(l, 0, h);
    const std::vector<double> data(weights.begin(), weights.end());
    return Object()
        .value("weights", Object()
                              .value("data", copy_of(std::span<const double>(data)))
                              .number("rows", n)
                              .number("cols", n))
        .value("characters", characters_of(run.tokenizer, pass.ids))
        .number("skipped", pass.skipped);
  });
}

val portrait_to_js(const HeadPortrait& head) {
  return Object()
      .number("entropy", head.entropy)
      .number("diagonal", head.diagonal)
      .number("previous", head.previous)
      .number("distance", head.distance);
}

val portraits_in_js(const val& id, const val& text) {
  return guarded([&]() -> val {
    Run& run = run_from(id);
    const GptConfig& config = run.model().config();
    const Pass pass(run, text);
    const int n = pass.activations.length;
    Array layers;
    for (int l = 0; l < config.n_layers; ++l) {
      Array heads;
      for (int h = 0; h < config.n_heads; ++h) {
        heads.push(portrait_to_js(portrait(pass.activations.probabilities(l, 0, h), n)));
      }
      layers.push(heads);
    }
    return Object()
        .value("layers", layers)
        .value("uniform", portrait_to_js(uniform_portrait(n)))
        .number("skipped", pass.skipped);
  });
}

val token_losses_in_js(const val& id, const val& text) {
  return guarded([&] {
    Run& run = run_from(id);
    return array_of(std::span<const double>(token_losses(run.model(), Window(run, text).ids)));
  });
}

val token_losses_without_in_js(const val& id, const val& text, const val& layer, const val& head) {
  return guarded([&] {
    Run& run = run_from(id);
    const auto l = static_cast<int>(integer_from(layer, "layer", 0, 64));
    const auto h = static_cast<int>(integer_from(head, "head", 0, 65536));
    return array_of(
        std::span<const double>(token_losses_without(run.model(), Window(run, text).ids, l, h)));
  });
}

val parameter_hash_in_js(const val& id) {
  return guarded([&] { return hash_to_js(digest<float>(run_from(id).model().parameters())); });
}

val parameters_in_js(const val& id) {
  return guarded(
      [&] { return copy_of(std::span<const float>(run_from(id).model().parameters())); });
}

val set_parameters_in_js(const val& id, const val& numbers) {
  return guarded([&]() -> val {
    const std::span<float> parameters = run_from(id).model().parameters();
    if (!numbers.instanceof (val::global("Float32Array"))) {
      refuse("parameters", "a Float32Array", numbers.typeOf().as<std::string>());
    }
    const auto size = numbers["length"].as<std::size_t>();
    if (size != parameters.size()) {
      refuse("parameters", std::to_string(parameters.size()) + " numbers", std::to_string(size));
    }
    val(emscripten::typed_memory_view(size, parameters.data())).call<void>("set", numbers);
    return Object();
  });
}

val save_in_js(const val& id) {
  return guarded([&] {
    const std::vector<std::uint8_t> bytes = trainer_from(id).save();
    return copy_of(std::span<const std::uint8_t>(bytes));
  });
}

val load_in_js(const val& id, const val& bytes) {
  return guarded([&]() -> val {
    Trainer<float>& trainer = trainer_from(id);
    trainer.load(bytes_from(bytes, "state"));
    return Object().number("steps", trainer.steps()).value("diverged", val(trainer.diverged()));
  });
}

int threads() { return kThreads; }

double memory_bytes() { return static_cast<double>(__builtin_wasm_memory_size(0)) * 65536; }

}  // namespace
}  // namespace attn::wasm

EMSCRIPTEN_BINDINGS(train) {
  using namespace attn::wasm;
  emscripten::function("preset", &preset_in_js);
  emscripten::function("create", &create_in_js);
  emscripten::function("openModel", &open_model_in_js);
  emscripten::function("remove", &delete_in_js);
  emscripten::function("step", &step_in_js);
  emscripten::function("setLearningRate", &set_learning_rate_in_js);
  emscripten::function("diagnostics", &diagnostics_in_js);
  emscripten::function("validationLoss", &validation_loss_in_js);
  emscripten::function("validationLossWithout", &validation_loss_without_in_js);
  emscripten::function("encode", &encode_in_js);
  emscripten::function("sample", &sample_in_js);
  emscripten::function("attentionMap", &attention_map_in_js);
  emscripten::function("portraits", &portraits_in_js);
  emscripten::function("tokenLosses", &token_losses_in_js);
  emscripten::function("tokenLossesWithout", &token_losses_without_in_js);
  emscripten::function("parameterHash", &parameter_hash_in_js);
  emscripten::function("parameters", &parameters_in_js);
  emscripten::function("setParameters", &set_parameters_in_js);
  emscripten::function("save", &save_in_js);
  emscripten::function("load", &load_in_js);
  emscripten::function("threads", &threads);
  emscripten::function("memoryBytes", &memory_bytes);
}

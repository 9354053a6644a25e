#include "core/gpt/trainer.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "core/gpt/diagnostics.h"
#include "core/rng.h"

using attn::AttentionKind;
using attn::Trainer;
using attn::TrainingOptions;

namespace {

/// A small run on a text with a pattern to learn: 0 1 2 … 9 0 1 2 ….
struct Run {
  TrainingOptions options;
  std::vector<int> text;

  Run() {
    options.config = {10, 8, 2, 2, 16, 24, AttentionKind::kScaled};
    options.batch_size = 4;
    options.schedule = {1e-2, 5, 60};
    for (int i = 0; i < 500; ++i) text.push_back(i % 10);
  }

  template <class T = float>
  Trainer<T> trainer() const {
    return Trainer<T>(options, text, std::span<const int>(text).first(100));
  }
};

template <class T>
std::vector<double> losses(Trainer<T>& trainer, int steps) {
  std::vector<double> all;
  for (int i = 0; i < steps; ++i) all.push_back(trainer.step().loss);
  return all;
}

std::vector<int> random_text(int n, std::uint32_t vocab) {
  attn::Rng rng(1);
  std::vector<int> text;
  for (int i = 0; i < n; ++i) text.push_back(static_cast<int>(rng.below(vocab)));
  return text;
}

}  // namespace

TEST_CASE("schedule of the case study") {
  // Step 800 is half way from 100 to 1500: 3e-3 (0.1 + 0.9/2) = 1.65e-3. At step 1499 the cosine
  // has 0.9/4 · (π/1400)² = 1.1e-6 of the peak left above a tenth.
  const attn::Schedule schedule;
  CHECK(attn::learning_rate(schedule, 0) == doctest::Approx(3e-5).epsilon(1e-14));
  CHECK(attn::learning_rate(schedule, 99) == doctest::Approx(3e-3).epsilon(1e-14));
  CHECK(attn::learning_rate(schedule, 100) == doctest::Approx(3e-3).epsilon(1e-14));
  CHECK(attn::learning_rate(schedule, 800) == doctest::Approx(1.65e-3).epsilon(1e-12));
  CHECK(attn::learning_rate(schedule, 1499) == doctest::Approx(3.0000340e-4).epsilon(1e-7));
  CHECK(attn::learning_rate(schedule, 5000) == doctest::Approx(3e-4).epsilon(1e-14));
  CHECK(attn::learning_rate({1, 0, 10}, 0) == 1);
  for (const int step : {100, 800, 5000}) {
    CHECK(attn::learning_rate({3e-3, 100, 1500, 1}, step) == doctest::Approx(3e-3).epsilon(1e-14));
  }
}

TEST_CASE("training: a regular text is learnt, in float and in double alike") {
  // Its next token is certain, so the loss goes from ln 10 = 2.30 towards 0.
  const Run run;
  auto single = run.trainer<float>();
  auto exact = run.trainer<double>();
  const auto got = losses(single, 60), expected = losses(exact, 60);
  CHECK(std::abs(got.front() - std::log(10.0)) < 0.1);
  CHECK(got.back() < 0.3);
  for (std::size_t i = 0; i < 10; ++i) CHECK(got[i] == doctest::Approx(expected[i]).epsilon(1e-4));
  CHECK(single.validation_loss() < 0.3);
  CHECK(single.validation_loss() == single.validation_loss());
}

TEST_CASE("training: the untrained case models have the loss of a uniform guess, ln 1200") {
  const auto text = random_text(3000, 1200);
  for (const bool large : {false, true}) {
    TrainingOptions options;
    options.config = large ? attn::large_case(AttentionKind::kUnscaled)
                           : attn::small_case(AttentionKind::kScaled);
    options.batch_size = 8;
    Trainer<float> trainer(options, text, {});
    CHECK(std::abs(trainer.step().loss - std::log(1200.0)) < 0.1);
  }
}

TEST_CASE("training: the logits of an untrained model have standard deviation σ² d^1.5") {
  // One layer, one head, 8 sequences of 32 random tokens of 300 (X1). The prediction holds for the
  // mean over models; a narrow one alone is off by its few random numbers, so several are averaged.
  double log_first = 0, log_last = 0;
  const int dims[] = {32, 64, 128, 256, 512};
  for (const int d : dims) {
    double deviation = 0, scaled_entropy = 0, entropy = 0;
    const int models = 512 / d;
    for (int i = 0; i < models; ++i) {
      const auto measure = [&](AttentionKind kind) {
        const attn::GptConfig config{300, 32, 1, 1, d, 8, kind};
        attn::Workers workers(1);
        const attn::Gpt<float> gpt(config, static_cast<std::uint64_t>(i));
        attn::Activations<float> a(config, 8, 32);
        gpt.forward(random_text(256, 300), a, workers);
        return attn::diagnose(gpt, a, 0);
      };
      const auto unscaled = measure(AttentionKind::kUnscaled);
      const auto scaled = measure(AttentionKind::kScaled);
      deviation += unscaled.logit_deviation / models;
      entropy += unscaled.entropy / models;
      scaled_entropy += scaled.entropy / models;
      CHECK(scaled.logit_deviation ==
            doctest::Approx(unscaled.logit_deviation / std::sqrt(d)).epsilon(1e-6));
      // σ² d^1.5 comes from components of variance v = d σ².
      CHECK(unscaled.query_deviation == doctest::Approx(0.02 * std::sqrt(d)).epsilon(0.06));
    }
    CAPTURE(d);
    const double predicted = 0.02 * 0.02 * std::pow(d, 1.5);
    CHECK(deviation == doctest::Approx(predicted).epsilon(0.05));
    CHECK(scaled_entropy > 0.99);
    if (d == 512) CHECK(entropy < 0.35);
    if (d == dims[0]) log_first = std::log(deviation);
    log_last = std::log(deviation);
  }
  CHECK(std::abs((log_last - log_first) / std::log(16.0) - 1.5) < 0.03);
}

TEST_CASE("training: a saved run that is loaded elsewhere continues in the same bits") {
  const Run run;
  auto whole = run.trainer();
  const auto all = losses(whole, 20);
  auto first = run.trainer();
  losses(first, 8);
  first.validation_loss();  // no effect on the run
  auto second = run.trainer();
  second.load(first.save());
  CHECK(second.steps() == 8);
  const auto rest = losses(second, 12);
  CHECK(std::equal(rest.begin(), rest.end(), all.begin() + 8));
  CHECK(attn::digest<float>(second.model().parameters()) ==
        attn::digest<float>(whole.model().parameters()));
}

TEST_CASE("training: a state of another run, or a truncated one, is refused and changes nothing") {
  Run run;
  auto trainer = run.trainer();
  losses(trainer, 3);
  const auto before = attn::digest<float>(trainer.model().parameters());
  auto bytes = trainer.save();
  bytes.pop_back();
  CHECK_THROWS_AS(trainer.load(bytes), std::invalid_argument);
  CHECK_THROWS_WITH_AS(trainer.load(std::vector<std::uint8_t>(5)),
                       "state: expected a saved run, got too few bytes", std::invalid_argument);
  run.options.seed = 3;
  CHECK_THROWS_WITH_AS(
      trainer.load(run.trainer().save()),
      "state: expected a run with the same config, seed and batch size, got another",
      std::invalid_argument);
  run.options.seed = Run().options.seed;
  run.options.config.parts.residual = false;
  CHECK_THROWS_AS(trainer.load(run.trainer().save()), std::invalid_argument);
  run.options.config.parts = {};
  run.options.decay_all = true;
  CHECK_THROWS_AS(trainer.load(run.trainer().save()), std::invalid_argument);
  CHECK(attn::digest<float>(trainer.model().parameters()) == before);
  CHECK(trainer.steps() == 3);
}

TEST_CASE("training: decay on all parameters shortens those that no gradient moves") {
  // The text has no 10, but a vocabulary of 12 has; rows 10 and 11 of an untied embedding get no
  // gradient. One step at rate r multiplies them by 1 − 0.1 r if they decay, by 1 if not.
  Run run;
  run.options.config.vocab_size = 12;
  run.options.config.parts.tied_output = false;
  run.options.schedule = {0.5, 0, 60};
  for (const bool all : {false, true}) {
    run.options.decay_all = all;
    auto trainer = run.trainer<double>();
    const std::size_t at = trainer.model().layout().tokens + 10 * 16;
    const double before = trainer.model().parameters()[at];
    trainer.step();
    CHECK(trainer.model().parameters()[at] / before ==
          doctest::Approx(all ? 0.95 : 1).epsilon(1e-12));
  }
}

TEST_CASE("training: without clipping the gradient enters AdamW as it is") {
  // AdamW's first step divides the gradient by its own size, so clipping is seen from the second.
  Run run;
  run.options.clip = 1e-3;
  auto clipped = run.trainer();
  run.options.clip = std::numeric_limits<double>::infinity();
  auto free = run.trainer();
  run.options.clip = 1e9;
  auto wide = run.trainer();
  const auto expected = losses(wide, 4);
  CHECK(losses(free, 4) == expected);
  CHECK(losses(clipped, 4) != expected);
}

TEST_CASE("training: losses by row belong to the targets of the step, and average to its loss") {
  const Run run;
  auto trainer = run.trainer<double>();
  const double loss = trainer.step().loss;
  const auto& rows = trainer.activations().losses;
  REQUIRE(rows.size() == trainer.targets().size());
  double sum = 0;
  for (const double one : rows) sum += one;
  CHECK(sum / static_cast<double>(rows.size()) == doctest::Approx(loss).epsilon(1e-14));
  // In the text each token is followed by the next.
  CHECK((trainer.targets()[0] + 1) % 10 == trainer.targets()[1]);
}

TEST_CASE("training: seeds give other runs, threads don't") {
  Run run;
  auto one = run.trainer();
  const auto expected = losses(one, 6);
  run.options.threads = 3;
  auto three = run.trainer();
  CHECK(losses(three, 6) == expected);
  CHECK(attn::digest<float>(three.model().parameters()) ==
        attn::digest<float>(one.model().parameters()));
  // Another number of threads for each step of one run.
  auto changing = run.trainer();
  std::vector<double> changed;
  for (const int threads : {3, 1, 2, 3, 2, 1}) {
    changing.workers().use(threads);
    changed.push_back(changing.step().loss);
  }
  CHECK(changed == expected);
  CHECK(attn::digest<float>(changing.model().parameters()) ==
        attn::digest<float>(one.model().parameters()));
  CHECK_THROWS_WITH_AS(changing.workers().use(4), "threads: expected 1 to 3, got 4",
                       std::invalid_argument);
  run.options.seed = 2;
  auto other = run.trainer();
  CHECK(losses(other, 6) != expected);
}

TEST_CASE("training: at learning rate 0 no parameter changes, at 1000 the run diverges") {
  Run run;
  auto trainer = run.trainer();
  losses(trainer, 3);
  trainer.set_learning_rate(0);
  const auto before = attn::digest<float>(trainer.model().parameters());
  CHECK(trainer.step().learning_rate == 0);
  CHECK(attn::digest<float>(trainer.model().parameters()) == before);
  CHECK(trainer.steps() == 4);

  run.options.schedule = {1e30, 0, 60};
  auto wild = run.trainer();
  attn::StepResult last{};
  for (int i = 0; i < 60 && !wild.diverged(); ++i) last = wild.step();
  CHECK(wild.diverged());
  CHECK(last.step == wild.steps());  // the step that failed does not count
  const auto at_end = attn::digest<float>(wild.model().parameters());
  wild.step();
  CHECK(wild.diverged());
  CHECK(attn::digest<float>(wild.model().parameters()) == at_end);

  run.options.schedule = {1000, 0, 60};
  auto hot = run.trainer();
  for (int i = 0; i < 60 && !hot.diverged(); ++i) {
    last = hot.step();
    CHECK((hot.diverged() || std::isfinite(last.loss)));
  }
  CHECK_THROWS_WITH_AS(trainer.set_learning_rate(NAN),
                       "learning_rate: expected a finite number, 0 or more, got NaN",
                       std::invalid_argument);
  CHECK_THROWS_AS(trainer.set_learning_rate(-1), std::invalid_argument);
}

TEST_CASE("training: a head is ablated only while the loss without it is measured") {
  const Run run;
  auto trainer = run.trainer();
  losses(trainer, 30);
  const auto before = attn::digest<float>(trainer.model().parameters());
  const double whole = trainer.validation_loss(), without = trainer.validation_loss_without(0, 1);
  CHECK(without != whole);
  CHECK(attn::digest<float>(trainer.model().parameters()) == before);
  CHECK_THROWS_AS(trainer.validation_loss_without(0, 1, 0), std::invalid_argument);
  CHECK(attn::digest<float>(trainer.model().parameters()) == before);
  CHECK(trainer.validation_loss() == whole);
}

TEST_CASE("training: texts too short or with ids outside the vocabulary are refused") {
  Run run;
  run.text.resize(8);
  CHECK_THROWS_WITH_AS(Trainer<float>(run.options, run.text, {}),
                       "training: expected at least 9 tokens, got 8", std::invalid_argument);
  CHECK_THROWS_WITH_AS(Trainer<float>(run.options, {}, {}),
                       "training: expected at least 9 tokens, got 0", std::invalid_argument);
  run.text.assign(9, 3);
  CHECK(std::isfinite(Trainer<float>(run.options, run.text, {}).step().loss));  // one window
  run.text[4] = 10;
  CHECK_THROWS_WITH_AS(Trainer<float>(run.options, run.text, {}),
                       "training[4]: expected 0 to 9, got 10", std::invalid_argument);
  run.text[4] = 0;
  Trainer<float> alone(run.options, run.text, {});
  CHECK_THROWS_WITH_AS(alone.validation_loss(), "validation: expected a text, got none",
                       std::invalid_argument);
}

TEST_CASE("split: nine tenths of the lines, without cutting a line") {
  // Ten lines of one to ten tokens; 7 ends a line. Nine lines have 1 + … + 9 = 45 tokens.
  std::vector<int> text;
  for (int n = 0; n < 10; ++n) {
    text.insert(text.end(), static_cast<std::size_t>(n), 1);
    text.push_back(7);
  }
  const auto split = attn::split_by_lines(text, 7);
  CHECK(split.training.size() == 45);
  CHECK(split.validation.size() == 10);
  CHECK(split.training.back() == 7);
  const std::vector<int> one_line(50, 1);
  CHECK(attn::split_by_lines(one_line, 7).training.size() == 45);
  CHECK(attn::split_by_lines({}, 7).training.empty());
}

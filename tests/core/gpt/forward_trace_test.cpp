#include "core/gpt/forward_trace.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>

#include "core/gpt/compact.h"
#include "core/gpt/cross_entropy.h"
#include "core/rng.h"
#include "tests/core/model_files.h"

using attn::Activations;
using attn::ForwardTrace;
using attn::Gpt;

namespace {

attn::TrainedModel shipped() {
  const std::string bytes = attn::read_project_file("lessons/case/small-scaled.weights");
  return attn::unpack(std::vector<std::uint8_t>(bytes.begin(), bytes.end()));
}

/// The rows of one sequence in a buffer with equally many numbers a row.
std::vector<float> sequence_of(const std::vector<float>& all, int sequences, int s) {
  const auto size = static_cast<std::ptrdiff_t>(all.size()) / sequences;
  return {all.begin() + s * size, all.begin() + (s + 1) * size};
}

}  // namespace

TEST_CASE("forward trace: 20 random lines have the bits of the trainer's pass over a batch") {
  // The trainer runs batches of sequences on its workers; the trace runs a line alone.
  const attn::TrainedModel model = shipped();
  constexpr int kLines = 20;
  attn::Rng rng(14);
  for (const int length : {1, 7, 24, 64}) {
    std::vector<int> batch;
    for (int i = 0; i < kLines * length; ++i) batch.push_back(static_cast<int>(rng.below(1200)));
    Activations<float> a(model.gpt.config(), kLines, length);
    attn::Workers workers(2);
    model.gpt.forward(batch, a, workers);
    for (int s = 0; s < kLines; ++s) {
      const std::span<const int> line(batch.data() + s * length, static_cast<std::size_t>(length));
      const ForwardTrace trace = attn::trace_forward(model.gpt, line);
      const auto same = [&](const std::vector<float>& traced, const std::vector<float>& all) {
        CHECK(traced == sequence_of(all, kLines, s));
      };
      REQUIRE(trace.layers.size() == a.layers.size());
      for (std::size_t l = 0; l < a.layers.size(); ++l) {
        const ForwardTrace::Layer& traced = trace.layers[l];
        const Activations<float>::Layer& own = a.layers[l];
        same(traced.input, own.input);
        same(traced.norm1, own.norm1);
        same(traced.qkv, own.qkv);
        same(traced.weights, own.probabilities);
        same(traced.heads, own.heads);
        same(traced.middle, own.middle);
        same(traced.norm2, own.norm2);
        same(traced.up, own.up);
        same(traced.active, own.active);
      }
      same(trace.output, a.output);
      same(trace.norm, a.norm);
      same(trace.logits, a.logits);
    }
  }
}

TEST_CASE("forward trace: token and position vectors add up to the first layer's input") {
  const attn::TrainedModel model = shipped();
  const auto ids = model.tokenizer.encode("牀前看月光");
  REQUIRE(ids.size() == 5);
  const ForwardTrace trace = attn::trace_forward(model.gpt, ids);
  for (std::size_t i = 0; i < trace.tokens.size(); ++i) {
    CHECK(trace.layers[0].input[i] == trace.tokens[i] + trace.positions[i]);
  }
  // The same character has the same vector wherever it stands, and the same place the same one.
  const std::vector<int> twice = {7, 7};
  const ForwardTrace two = attn::trace_forward(model.gpt, twice);
  const auto d = static_cast<std::ptrdiff_t>(128);
  CHECK(std::equal(two.tokens.begin(), two.tokens.begin() + d, two.tokens.begin() + d));
  CHECK(std::equal(two.positions.begin(), two.positions.end(), trace.positions.begin()));
}

TEST_CASE("forward trace: probabilities are the softmax whose loss is the trainer's") {
  const attn::TrainedModel model = shipped();
  const auto ids = model.tokenizer.encode("春眠不覺曉，處處聞啼鳥。");
  ForwardTrace trace = attn::trace_forward(model.gpt, ids);
  const int rows = static_cast<int>(ids.size()) - 1, vocab = model.gpt.config().vocab_size;
  std::vector<double> losses(static_cast<std::size_t>(rows));
  attn::cross_entropy(rows, vocab, trace.logits.data(), ids.data() + 1, losses.data(), 1.0f, false);
  for (int r = 0; r < rows; ++r) {
    const auto begin = trace.probabilities.begin() + std::ptrdiff_t{r} * vocab;
    double sum = 0;
    for (auto p = begin; p < begin + vocab; ++p) sum += *p;
    CHECK(sum == doctest::Approx(1).epsilon(1e-12));
    // The trainer sums 1,200 powers as floats: a relative error up to 1e-5.
    CHECK(-std::log(begin[ids[static_cast<std::size_t>(r) + 1]]) ==
          doctest::Approx(losses[static_cast<std::size_t>(r)]).epsilon(1e-5));
  }
}

TEST_CASE("forward trace: deviations are those by which LayerNorm divides the stream's rows") {
  const attn::TrainedModel model = shipped();
  const ForwardTrace trace = attn::trace_forward(model.gpt, model.tokenizer.encode("白日依山"));
  const std::vector<const std::vector<float>*> streams = {
      &trace.layers[0].input, &trace.layers[0].middle, &trace.layers[1].input,
      &trace.layers[1].middle, &trace.output};
  REQUIRE(trace.deviations.size() == streams.size() * 4);
  for (std::size_t k = 0; k < streams.size(); ++k) {
    for (std::size_t t = 0; t < 4; ++t) {
      double mean = 0, variance = 0;
      for (std::size_t i = 0; i < 128; ++i) mean += (*streams[k])[t * 128 + i] / 128.0;
      for (std::size_t i = 0; i < 128; ++i) {
        variance += std::pow((*streams[k])[t * 128 + i] - mean, 2) / 128;
      }
      const double expected = std::sqrt(variance + 1e-5);
      CHECK(trace.deviations[k * 4 + t] == doctest::Approx(expected).epsilon(1e-5));
    }
  }
}

TEST_CASE("forward trace: refuses no tokens, too many and unknown ids") {
  const Gpt<float> gpt({7, 6, 1, 1, 4, 4, attn::AttentionKind::kScaled}, 1);
  CHECK_THROWS_AS(attn::trace_forward(gpt, {}), std::invalid_argument);
  const std::vector<int> many(7, 1), unknown = {7};
  CHECK_THROWS_AS(attn::trace_forward(gpt, many), std::invalid_argument);
  CHECK_THROWS_AS(attn::trace_forward(gpt, unknown), std::invalid_argument);
}

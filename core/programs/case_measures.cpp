#include "core/programs/case_measures.h"

#include <cmath>
#include <string>
#include <vector>

#include "core/gpt/sampling.h"

namespace attn {
namespace {

constexpr int kPieces = 3, kPiece = 24;  // texts for the statistics of the heads
constexpr int kSampleLength = 64;

Json to_json(const HeadPortrait& head) {
  return {{"entropy", head.entropy},
          {"diagonal", head.diagonal},
          {"previous", head.previous},
          {"distance", head.distance}};
}

/// The weights of every head on the verse, in thousandths: row by row, each row up to its own
/// position.
Json maps(Trainer<float>& trainer, std::span<const int> verse) {
  const GptConfig& config = trainer.options().config;
  const int n = static_cast<int>(verse.size());
  Activations<float> a(config, 1, n);
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

}  // namespace

Json to_json(const Diagnostics& d) {
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

Json scales(Trainer<float>& trainer, std::span<const int> validation) {
  const TrainingOptions& options = trainer.options();
  const auto size = static_cast<std::size_t>(options.batch_size * options.config.block_size);
  Activations<float> a(options.config, options.batch_size, options.config.block_size);
  trainer.model().forward(validation.first(size), a, trainer.workers());
  return to_json(diagnose(trainer.model(), a, 0));
}

Json portraits(Trainer<float>& trainer, std::span<const int> validation) {
  const GptConfig& config = trainer.options().config;
  Activations<float> a(config, kPieces, kPiece);
  trainer.model().forward(validation.first(kPieces * kPiece), a, trainer.workers());
  Json heads = Json::array();
  for (int layer = 0; layer < config.n_layers; ++layer) {
    for (int head = 0; head < config.n_heads; ++head) {
      HeadPortrait mean{};
      for (int piece = 0; piece < kPieces; ++piece) {
        const auto one = portrait(a.probabilities(layer, piece, head), kPiece);
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
          {"uniform", to_json(uniform_portrait(kPiece))},
          {"heads", heads}};
}

Json ablation(Trainer<float>& trainer) {
  const GptConfig& config = trainer.options().config;
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

Json samples(Trainer<float>& trainer, const Tokenizer& tokenizer) {
  Json all = Json::array();
  for (const char* prompt : {"春", "明月", "\n"}) {
    for (const SamplingOptions options : {SamplingOptions{0, 0}, {0.8, 20}, {1, 0}}) {
      const auto ids = sample<float>(trainer.model(), tokenizer.encode(prompt), kSampleLength,
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

Json moment(Trainer<float>& trainer, const Tokenizer& tokenizer, int steps) {
  const SamplingOptions drawn{1, 0};
  const auto poem = sample<float>(trainer.model(), tokenizer.encode("春"), kSampleLength, drawn,
                                  trainer.options().seed);
  return {{"steps", steps},
          {"poem", tokenizer.decode(poem)},
          {"maps", maps(trainer, tokenizer.encode(kVerse))}};
}

}  // namespace attn

#include "core/gpt/forward_trace.h"

#include <cstddef>
#include <utility>

#include "core/gpt/sampling.h"

namespace attn {
namespace {

/// Appends 1/scale of each row.
void append_deviations(const std::vector<float>& scales, std::vector<double>& deviations) {
  for (const float scale : scales) deviations.push_back(1 / static_cast<double>(scale));
}

}  // namespace

ForwardTrace trace_forward(const Gpt<float>& gpt, std::span<const int> tokens) {
  const GptConfig& config = gpt.config();
  Activations<float> a(config, 1, static_cast<int>(tokens.size()));
  Workers workers(1);
  gpt.forward(tokens, a, workers);

  ForwardTrace trace;
  const auto width = static_cast<std::size_t>(config.d_model);
  const auto append_row = [&](std::vector<float>& to, std::size_t table, std::size_t row) {
    const std::span<const float> values = gpt.parameters().subspan(table + row * width, width);
    to.insert(to.end(), values.begin(), values.end());
  };
  for (std::size_t t = 0; t < tokens.size(); ++t) {
    append_row(trace.tokens, gpt.layout().tokens, static_cast<std::size_t>(tokens[t]));
    append_row(trace.positions, gpt.layout().positions, t);
  }
  for (auto& layer : a.layers) {
    append_deviations(layer.scale1, trace.deviations);
    append_deviations(layer.scale2, trace.deviations);
    trace.layers.push_back({.input = std::move(layer.input),
                            .norm1 = std::move(layer.norm1),
                            .qkv = std::move(layer.qkv),
                            .weights = std::move(layer.probabilities),
                            .heads = std::move(layer.heads),
                            .middle = std::move(layer.middle),
                            .norm2 = std::move(layer.norm2),
                            .up = std::move(layer.up),
                            .active = std::move(layer.active)});
  }
  append_deviations(a.scale, trace.deviations);
  const auto vocab = static_cast<std::size_t>(config.vocab_size);
  for (std::size_t t = 0; t < tokens.size(); ++t) {
    const auto row = token_probabilities<float>({a.logits.data() + t * vocab, vocab});
    trace.probabilities.insert(trace.probabilities.end(), row.begin(), row.end());
  }
  trace.output = std::move(a.output);
  trace.norm = std::move(a.norm);
  trace.logits = std::move(a.logits);
  return trace;
}

}  // namespace attn

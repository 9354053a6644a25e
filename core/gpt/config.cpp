#include "core/gpt/config.h"

#include <cstdint>

#include "core/check.h"

namespace attn {
namespace {

void require_size(const char* name, int value, int lowest, int highest) {
  if (value >= lowest && value <= highest) return;
  refuse(name, std::to_string(lowest) + " to " + std::to_string(highest), std::to_string(value));
}

}  // namespace

GptConfig small_case(AttentionKind attention) { return {1200, 64, 2, 4, 128, 256, attention}; }

GptConfig large_case(AttentionKind attention) { return {1200, 64, 2, 1, 256, 512, attention}; }

void require_config(const GptConfig& config) {
  constexpr int kMost = 65536;
  require_size("vocab_size", config.vocab_size, 3, kMost);
  require_size("block_size", config.block_size, 1, kMost);
  require_size("n_layers", config.n_layers, 1, 64);
  require_size("n_heads", config.n_heads, 1, kMost);
  require_size("d_model", config.d_model, 1, kMost);
  require_size("d_ff", config.d_ff, 1, kMost);
  if (config.d_model % config.n_heads != 0) {
    refuse("n_heads", "a divisor of d_model = " + std::to_string(config.d_model),
           std::to_string(config.n_heads));
  }
  const std::int64_t d = config.d_model, ff = config.d_ff;
  const std::int64_t size = (std::int64_t{config.vocab_size} + config.block_size) * d +
                            config.n_layers * (4 * d * d + 2 * d * ff);
  if (size > (1 << 26)) refuse("config", "at most 2^26 parameters", std::to_string(size));
}

ParameterLayout::ParameterLayout(const GptConfig& config) {
  require_config(config);
  using Start = Tensor::Start;
  const int d = config.d_model, ff = config.d_ff;
  const GptParts& parts = config.parts;
  const Start residual = parts.residual_start ? Start::kResidual : Start::kNormal;
  const Start bias = parts.zero_biases ? Start::kZero : Start::kUniform;
  const auto place_norm = [&](const std::string& name, std::size_t& gain, std::size_t& shift) {
    if (!parts.layer_norm) return;
    gain = place(name + ".gain", 1, d, Start::kOne);
    shift = place(name + ".bias", 1, d, Start::kZero);
  };
  tokens = place("tokens", config.vocab_size, d, Start::kNormal);
  if (parts.positions) positions = place("positions", config.block_size, d, Start::kNormal);
  for (int i = 0; i < config.n_layers; ++i) {
    const std::string prefix = "layer" + std::to_string(i) + ".";
    Layer layer;
    place_norm(prefix + "norm1", layer.norm1_gain, layer.norm1_bias);
    layer.qkv = place(prefix + "qkv", d, 3 * d, Start::kNormal, true);
    layer.project = place(prefix + "project", d, d, residual, true);
    place_norm(prefix + "norm2", layer.norm2_gain, layer.norm2_bias);
    layer.up = place(prefix + "up", d, ff, Start::kNormal, true);
    layer.up_bias = place(prefix + "up.bias", 1, ff, bias);
    layer.down = place(prefix + "down", ff, d, residual, true);
    layer.down_bias = place(prefix + "down.bias", 1, d, bias);
    layers.push_back(layer);
  }
  place_norm("norm", norm_gain, norm_bias);
  output = parts.tied_output ? tokens : place("output", config.vocab_size, d, Start::kNormal);
}

std::size_t ParameterLayout::place(std::string name, int rows, int cols, Tensor::Start start,
                                   bool decays) {
  tensors_.push_back({std::move(name), rows, cols, start, decays, size_});
  size_ += tensors_.back().size();
  return tensors_.back().offset;
}

ParameterCount count_parameters(const GptConfig& config) {
  require_config(config);
  const auto d = static_cast<std::size_t>(config.d_model);
  const auto ff = static_cast<std::size_t>(config.d_ff);
  const auto n = static_cast<std::size_t>(config.n_layers);
  ParameterCount count{};
  count.token_embedding = static_cast<std::size_t>(config.vocab_size) * d;
  if (config.parts.positions) {
    count.position_embedding = static_cast<std::size_t>(config.block_size) * d;
  }
  count.attention = n * 4 * d * d;
  count.feed_forward = n * (2 * d * ff + ff + d);
  if (config.parts.layer_norm) {
    count.layer_norms = n * 4 * d;
    count.final_norm = 2 * d;
  }
  if (!config.parts.tied_output) count.output = count.token_embedding;
  count.total = count.token_embedding + count.position_embedding + count.attention +
                count.feed_forward + count.layer_norms + count.final_norm + count.output;
  return count;
}

}  // namespace attn

#include "core/gpt/activations.h"

#include <string>

#include "core/check.h"

namespace attn {
namespace {

std::size_t count(int a, int b) {
  return static_cast<std::size_t>(a) * static_cast<std::size_t>(b);
}

}  // namespace

template <class T>
Activations<T>::Activations(const GptConfig& config, int sequence_count, int positions)
    : sequences(sequence_count), length(positions) {
  require_config(config);
  if (length < 1 || length > config.block_size) {
    refuse("length", "1 to " + std::to_string(config.block_size), std::to_string(length));
  }
  if (sequences < 1 || sequences > 4096) {
    refuse("sequences", "1 to 4096", std::to_string(sequences));
  }
  const int n = rows(), d = config.d_model;
  const auto wide = [&](int cols) { return std::vector<T>(count(n, cols)); };
  for (int i = 0; i < config.n_layers; ++i) {
    layers.push_back({.input = wide(d),
                      .norm1 = wide(d),
                      .mean1 = wide(1),
                      .scale1 = wide(1),
                      .qkv = wide(3 * d),
                      .probabilities = std::vector<T>(count(n, config.n_heads) *
                                                      static_cast<std::size_t>(length)),
                      .heads = wide(d),
                      .middle = wide(d),
                      .norm2 = wide(d),
                      .mean2 = wide(1),
                      .scale2 = wide(1),
                      .up = wide(config.d_ff),
                      .active = wide(config.d_ff)});
  }
  output = wide(d);
  norm = wide(d);
  mean = wide(1);
  scale = wide(1);
  logits = wide(config.vocab_size);
}

template <class T>
std::span<const T> Activations<T>::probabilities(int layer, int sequence, int head) const {
  const std::vector<T>& all = layers[static_cast<std::size_t>(layer)].probabilities;
  const std::size_t square = count(length, length);
  const std::size_t heads = all.size() / square / static_cast<std::size_t>(sequences);
  return {
      all.data() +
          (static_cast<std::size_t>(sequence) * heads + static_cast<std::size_t>(head)) * square,
      square};
}

template <class T>
BackwardScratch<T>::BackwardScratch(const GptConfig& config, const Activations<T>& a)
    : stream(count(a.rows(), config.d_model)),
      narrow(count(a.rows(), config.d_model)),
      qkv(count(a.rows(), 3 * config.d_model)),
      wide(count(a.rows(), config.d_ff)),
      squares(count(a.sequences * config.n_heads, a.length) *
              static_cast<std::size_t>(a.length + config.head_dim())) {}

#define ATTN_INSTANTIATE(T)       \
  template struct Activations<T>; \
  template struct BackwardScratch<T>;
ATTN_INSTANTIATE(float)
ATTN_INSTANTIATE(double)
#undef ATTN_INSTANTIATE

}  // namespace attn

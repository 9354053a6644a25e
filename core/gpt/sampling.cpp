#include "core/gpt/sampling.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <string>

#include "core/check.h"
#include "core/softmax.h"

namespace attn {
namespace {

constexpr std::uint64_t kSamplingStream = 3;

/// Copies the first `rows` rows of queries, keys and values to a pass of another length.
template <class T>
void copy_rows(const Activations<T>& from, Activations<T>& to, int rows, int d) {
  for (std::size_t i = 0; i < from.layers.size(); ++i) {
    std::copy_n(from.layers[i].qkv.begin(), std::ptrdiff_t{rows} * 3 * d, to.layers[i].qkv.begin());
  }
}

/// softmax(logits / temperature) over the given ids.
template <class T>
std::vector<double> shares(std::span<const T> logits, std::span<const int> ids,
                           double temperature) {
  const auto logit = [&](int id) {
    return static_cast<double>(logits[static_cast<std::size_t>(id)]);
  };
  double largest = -std::numeric_limits<double>::infinity();
  for (const int id : ids) largest = std::max(largest, logit(id));
  std::vector<double> weights;
  for (const int id : ids) weights.push_back((logit(id) - largest) / temperature);
  softmax_in_place(weights);
  return weights;
}

template <class T>
std::vector<int> all_ids(std::span<const T> logits) {
  std::vector<int> ids(logits.size());
  std::iota(ids.begin(), ids.end(), 0);
  return ids;
}

}  // namespace

template <class T>
Decoder<T>::Decoder(const Gpt<T>& model, bool cached)
    : model_(model), cached_(cached && model.config().attention != AttentionKind::kHiddenAsZero) {}

template <class T>
std::span<const T> Decoder<T>::append(std::span<const int> tokens) {
  if (tokens.empty()) refuse("tokens", "at least one", "none");
  const GptConfig& config = model_.config();
  const auto block = static_cast<std::size_t>(config.block_size);
  std::vector<int> window = window_;
  window.insert(window.end(), tokens.begin(), tokens.end());
  const bool moved = window.size() > block;
  if (moved) window.erase(window.begin(), window.end() - config.block_size);
  const int length = static_cast<int>(window.size());
  const int first = cached_ && !moved ? static_cast<int>(window_.size()) : 0;
  Activations<T> now(config, 1, length);
  if (first > 0) copy_rows(activations_.front(), now, first, config.d_model);
  model_.forward(window, now, workers_, first);
  window_ = std::move(window);
  rows_run_ += length - first;
  activations_.clear();
  activations_.push_back(std::move(now));
  const auto vocab = static_cast<std::size_t>(config.vocab_size);
  return std::span<const T>(activations_.front().logits).last(vocab);
}

template <class T>
std::vector<double> token_probabilities(std::span<const T> logits) {
  return shares<T>(logits, all_ids(logits), 1);
}

template <class T>
int draw_token(std::span<const T> logits, const SamplingOptions& options, Rng& rng) {
  if (!(options.temperature >= 0 && std::isfinite(options.temperature))) {
    refuse("temperature", "a finite number, 0 or more", text_of(options.temperature));
  }
  if (options.top_k < 0) refuse("top_k", "0 or more", std::to_string(options.top_k));
  for (std::size_t i = 0; i < logits.size(); ++i) {
    if (!std::isfinite(logits[i])) {
      refuse("logits[" + std::to_string(i) + "]", "a finite number",
             text_of(static_cast<double>(logits[i])));
    }
  }
  if (options.temperature == 0) {
    return static_cast<int>(std::max_element(logits.begin(), logits.end()) - logits.begin());
  }
  std::vector<int> ids = all_ids(logits);
  if (options.top_k > 0 && static_cast<std::size_t>(options.top_k) < ids.size()) {
    // Equal logits are ordered by id, so that the choice is the same on every machine.
    std::stable_sort(ids.begin(), ids.end(), [&](int a, int b) {
      return logits[static_cast<std::size_t>(a)] > logits[static_cast<std::size_t>(b)];
    });
    ids.resize(static_cast<std::size_t>(options.top_k));
    std::sort(ids.begin(), ids.end());
  }
  const std::vector<double> weights = shares<T>(logits, ids, options.temperature);
  double rest = rng.uniform();
  for (std::size_t i = 0; i < ids.size(); ++i) {
    rest -= weights[i];
    if (rest < 0) return ids[i];
  }
  // Rounding left a remainder: take the most likely id.
  return ids[static_cast<std::size_t>(std::max_element(weights.begin(), weights.end()) -
                                      weights.begin())];
}

template <class T>
std::vector<int> sample(const Gpt<T>& model, std::span<const int> prompt, int count,
                        const SamplingOptions& options, std::uint64_t seed) {
  if (prompt.empty()) refuse("prompt", "at least one token", "none");
  if (count < 0 || count > 100000) refuse("count", "0 to 100000", std::to_string(count));
  Rng rng(seed, kSamplingStream);
  Decoder<T> decoder(model, options.cached);
  std::vector<int> ids;
  if (count == 0) return ids;
  std::span<const T> logits = decoder.append(prompt);
  for (;;) {
    ids.push_back(draw_token(logits, options, rng));
    if (static_cast<int>(ids.size()) == count) return ids;
    logits = decoder.append(std::span<const int>(&ids.back(), 1));
  }
}

#define ATTN_INSTANTIATE(T)                                                     \
  template class Decoder<T>;                                                    \
  template std::vector<double> token_probabilities<T>(std::span<const T>);      \
  template int draw_token<T>(std::span<const T>, const SamplingOptions&, Rng&); \
  template std::vector<int> sample<T>(const Gpt<T>&, std::span<const int>, int, \
                                      const SamplingOptions&, std::uint64_t);
ATTN_INSTANTIATE(float)
ATTN_INSTANTIATE(double)
#undef ATTN_INSTANTIATE

}  // namespace attn

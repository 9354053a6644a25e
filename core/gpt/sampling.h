// Text generation, token by token.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/gpt/gpt.h"
#include "core/rng.h"

namespace attn {

/// Runs a model over a growing text. Keys and values of earlier positions are kept (the KV
/// cache) as long as the text fits the block. After that every token moves the window and
/// changes all positions, so the last block_size tokens are run again.
template <class T>
class Decoder {
 public:
  /// @param cached  false: every token runs the whole window anew, as a check and to show the cost.
  ///                A model that only sets hidden scores to 0 lets earlier positions see later
  ///                ones; a cache would be wrong there, and none is used.
  Decoder(const Gpt<T>& model, bool cached);

  /// @param tokens  at least one
  /// @return (vocab_size) logits of what follows the whole text so far, valid until the next call
  /// @throws std::invalid_argument for no tokens or an id outside the vocabulary
  std::span<const T> append(std::span<const int> tokens);

  /// Rows that were run so far, a measure of the work.
  std::int64_t rows_run() const { return rows_run_; }

 private:
  const Gpt<T>& model_;
  bool cached_;
  std::vector<int> window_;                  // the last block_size tokens at most
  std::vector<Activations<T>> activations_;  // of the window's length; none before the first call
  Workers workers_{1};
  std::int64_t rows_run_ = 0;
};

struct SamplingOptions {
  double temperature = 1;  // 0: greedy, the largest logit, the first of equals
  int top_k = 0;           // only the k largest can be drawn; 0: all
  bool cached = true;
};

/// Softmax of the logits of all ids, the shares by which draw_token draws at temperature 1 without
/// top_k.
template <class T>
std::vector<double> token_probabilities(std::span<const T> logits);

/// Draws one id from softmax(logits / temperature). Takes one rng.uniform(), none when greedy.
/// @throws std::invalid_argument for a temperature below 0 or not finite, top_k below 0, or logits
///         that are not numbers
template <class T>
int draw_token(std::span<const T> logits, const SamplingOptions& options, Rng& rng);

/// `count` tokens that follow the prompt.
/// @throws std::invalid_argument for an empty prompt, a count outside 0 … 100,000, or as above
template <class T>
std::vector<int> sample(const Gpt<T>& model, std::span<const int> prompt, int count,
                        const SamplingOptions& options, std::uint64_t seed);

}  // namespace attn

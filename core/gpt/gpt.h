// The small GPT: forward pass, loss, and a backward pass written by hand.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/gpt/activations.h"
#include "core/gpt/config.h"
#include "core/gpt/workers.h"

namespace attn {

template <class T>
class Gpt {
 public:
  /// Parameters drawn from the seed, tensor by tensor in the layout's order; see Tensor::Start.
  Gpt(const GptConfig& config, std::uint64_t seed);

  /// A model with given parameters.
  /// @throws std::invalid_argument unless there are as many as the layout has
  Gpt(const GptConfig& config, std::vector<T> parameters);

  const GptConfig& config() const { return config_; }
  const ParameterLayout& layout() const { return layout_; }
  std::span<T> parameters() { return parameters_; }
  std::span<const T> parameters() const { return parameters_; }

  /// Logits of all rows.
  ///
  /// @param tokens  (sequences, T) ids
  /// @param first   with one sequence: rows before it are kept from an earlier pass over the
  ///                same tokens, and their keys and values are used again
  /// @throws std::invalid_argument for another number of tokens, or an id outside the vocabulary
  void forward(std::span<const int> tokens, Activations<T>& a, Workers& workers,
               int first = 0) const;

  /// Mean loss in nats of predicting targets, one for each row, after forward().
  ///
  /// @param backward  replaces a.logits by their gradient, for backward()
  /// @throws std::invalid_argument for another number of targets, or an id outside the vocabulary
  double loss(std::span<const int> targets, Activations<T>& a, Workers& workers,
              bool backward) const;

  /// The gradient of the mean loss, after loss(…, true) of the same tokens.
  /// @param gradient  like parameters(), out
  void backward(std::span<const int> tokens, Activations<T>& a, BackwardScratch<T>& scratch,
                std::span<T> gradient, Workers& workers) const;

  /// Zeroes the rows of a layer's output projection that multiply one head's output, so that the
  /// head contributes nothing.
  /// @throws std::invalid_argument for a layer or head out of range
  void ablate_head(int layer, int head);

  /// @throws std::invalid_argument for a layer or head out of range
  void require_head(int layer, int head) const;

 private:
  const T* at(std::size_t offset) const { return parameters_.data() + offset; }
  void start_biases(std::uint64_t seed);
  void require_tokens(const char* name, std::span<const int> tokens, const Activations<T>& a) const;

  GptConfig config_;
  ParameterLayout layout_;
  std::vector<T> parameters_;
};

/// FNV-1a, 64 bits, of the bytes of numbers in little-endian order.
template <class T>
std::uint64_t digest(std::span<const T> numbers);

}  // namespace attn

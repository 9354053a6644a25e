// Configuration of a small GPT: sizes, kind of attention, layout of the parameters.
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "core/attention_kind.h"

namespace attn {

/// The parts that an ablation leaves out or changes. The default is the model of the course.
struct GptParts {
  bool residual = true;        // otherwise a sublayer's output replaces its input
  bool layer_norm = true;      // otherwise its input passes unchanged, and has no gain or bias
  bool tied_output = true;     // otherwise the output has a matrix of its own
  bool positions = true;       // otherwise no position embedding is added
  bool residual_start = true;  // otherwise Tensor::Start::kResidual is as wide as kNormal
  bool zero_biases = true;     // otherwise the feed-forward biases start as Start::kUniform

  bool operator==(const GptParts&) const = default;
};

/// Pre-LN Transformer decoder: learnt positions, attention without biases, feed-forward layer with
/// biases, output tied to the token embedding.
struct GptConfig {
  int vocab_size = 1200;
  int block_size = 64;  // positions
  int n_layers = 2;
  int n_heads = 4;
  int d_model = 128;
  int d_ff = 256;
  AttentionKind attention = AttentionKind::kScaled;
  GptParts parts = {};

  int head_dim() const { return d_model / n_heads; }
  bool operator==(const GptConfig&) const = default;
};

/// The two models of the case study: 425,984 parameters with 4 heads of 32, 1,376,256 with one head
/// of 256.
GptConfig small_case(AttentionKind attention);
GptConfig large_case(AttentionKind attention);

/// @throws std::invalid_argument for a size outside 1 … 65,536 (layers: 64, vocab: at least 3),
///         heads that don't divide d_model, or more than 2²⁶ parameters
void require_config(const GptConfig& config);

/// One tensor of the parameters, row-major; a vector has one row.
struct Tensor {
  enum class Start {
    kNormal,    // standard deviation 0.02
    kResidual,  // 0.02 / √(2 n_layers): matrices whose output is added to the residual stream
    kZero,
    kOne,
    kUniform,  // within ±1/√inputs of the matrix before: the usual default for a bias
  };
  std::string name;
  int rows, cols;
  Start start;
  bool decays;  // weight decay applies: the weight matrices of the blocks
  std::size_t offset = 0;

  std::size_t size() const {
    return static_cast<std::size_t>(rows) * static_cast<std::size_t>(cols);
  }
};

/// Offsets of all tensors in one flat array; a tensor of a part that is left out has none. A matrix
/// is (inputs, outputs): y = x W.
class ParameterLayout {
 public:
  explicit ParameterLayout(const GptConfig& config);

  struct Layer {
    std::size_t norm1_gain = 0, norm1_bias = 0;  // (d_model)
    std::size_t qkv;      // (d_model, 3 d_model)  queries, keys, values side by side
    std::size_t project;  // (d_model, d_model)
    std::size_t norm2_gain = 0, norm2_bias = 0;  // (d_model)
    std::size_t up, up_bias;                     // (d_model, d_ff), (d_ff)
    std::size_t down, down_bias;                 // (d_ff, d_model), (d_model)
  };
  std::size_t tokens;         // (vocab_size, d_model)
  std::size_t positions = 0;  // (block_size, d_model)
  std::vector<Layer> layers;
  std::size_t norm_gain = 0, norm_bias = 0;  // (d_model)
  std::size_t output;                        // (vocab_size, d_model), the same as tokens if tied

  const std::vector<Tensor>& tensors() const { return tensors_; }
  std::size_t size() const { return size_; }

 private:
  std::size_t place(std::string name, int rows, int cols, Tensor::Start start, bool decays = false);

  std::vector<Tensor> tensors_;
  std::size_t size_ = 0;
};

/// The number of parameters by part, summed over the layers.
struct ParameterCount {
  std::size_t token_embedding, position_embedding, attention, feed_forward, layer_norms, final_norm;
  std::size_t output;  // 0 if tied to the token embedding
  std::size_t total;
};

ParameterCount count_parameters(const GptConfig& config);

}  // namespace attn

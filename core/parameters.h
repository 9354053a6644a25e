// The account of a language model's parameters, tensor by tensor, from its published config.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/config_refusal.h"
#include "core/config_value.h"
#include "core/names.h"

namespace attn {

enum class ParameterGroup { kTable, kAttention, kFeedForward, kNorm, kHead };

template <>
inline constexpr std::array<std::string_view, 5> names<ParameterGroup> = {
    "table", "attention", "feed_forward", "norm", "head"};

/// Tensors of one name and one shape.
struct ParameterTensor {
  std::string_view name;  // as in "q_proj", stable
  ParameterGroup group = ParameterGroup::kTable;
  std::int64_t layers = 0;  // blocks that have it; 0: it belongs to no block
  std::int64_t each = 1;    // such tensors in a block, for experts
  std::int64_t rows = 0;    // numbers that go in, or entries of a table or vector
  std::int64_t columns = 1;
  std::int64_t count = 0;  // max(layers, 1) · each · rows · columns
};

struct ParameterAccount {
  std::vector<ParameterTensor> tensors;  // tables, a block from its input on, final norm, head
  std::int64_t total = 0;
  std::int64_t layers = 0;
  bool tied = false;   // the output layer is the table of tokens
  bool known = false;  // the class of the model is one whose tensors were checked
};

/// Counts the parameters of a decoder with attention (shared heads, or latent vectors) and a
/// feed-forward part (two matrices, three with a gate, or experts) in each layer.
///
/// Only the language model of a model of several parts counts. Layers for predicting further tokens
/// and scales of quantised weights do not.
///
/// @return a refusal for configs that `read_config` refuses, that lack a size, or whose layers are
///         of another kind
/// Tensors: the model classes of Hugging Face Transformers.
std::variant<ParameterAccount, Refusal> read_parameters(const ConfigValue& config);

}  // namespace attn

#include "core/config_states.h"

namespace attn {
namespace {

/// Format of a recurrent state, where the file says.
std::optional<Field<int>> stated_bits(ConfigFields& fields, ConfigFields::Names names) {
  const auto dtype = fields.word(names);
  if (!dtype) return std::nullopt;
  const auto bits = float_bits(dtype->value);
  if (!bits) {
    refuse_config(RefusalCode::unknown_word, dtype->path,
                  "names a number format that the reader does not know: \"" + dtype->value + "\"");
  }
  return Field<int>{*bits, dtype->path};
}

[[noreturn]] void refuse_size(const std::string& path) {
  refuse_config(RefusalCode::out_of_range, path, "makes a layer keep more than 2^53 - 1 bytes");
}

std::int64_t exact_sum(std::int64_t a, std::int64_t b, const std::string& path) {
  // Both are at most 2⁵³ − 1.
  if (a + b > kLargestCount) refuse_size(path);
  return a + b;
}

}  // namespace

std::int64_t exact_product(std::initializer_list<std::int64_t> factors, const std::string& path) {
  std::int64_t product = 1;
  for (const std::int64_t factor : factors) {
    if (__builtin_mul_overflow(product, factor, &product) || product > kLargestCount) {
      refuse_size(path);
    }
  }
  return product;
}

LayerState read_linear_state(ConfigFields& fields, std::int64_t linear_layers,
                             std::vector<Assumption>& assumed) {
  LayerState state;
  const auto bits = stated_bits(fields, {"mamba_ssm_dtype", "linear_attention_state_dtype"});
  if (const auto total = fields.count({"linear_attention_state_bytes_total"})) {
    if (total->value % linear_layers != 0) {
      refuse_config(RefusalCode::out_of_range, total->path,
                    "does not divide evenly among " + std::to_string(linear_layers) + " layers");
    }
    state.stated_bytes = total->value / linear_layers;
    state.path = total->path;
    if (bits && state.stated_bytes * 8 % bits->value != 0) {
      refuse_config(RefusalCode::conflict, total->path,
                    "is no whole number of values of the format that " + bits->path + " states");
    }
    return state;
  }
  const auto key_heads = fields.needed({"linear_num_key_heads"});
  const auto value_heads = fields.needed({"linear_num_value_heads"});
  const auto key_width = fields.needed({"linear_key_head_dim"});
  const auto value_width = fields.needed({"linear_value_head_dim"});
  const auto kernel = fields.needed({"linear_conv_kernel_dim"});
  state.values =
      exact_product({value_heads.value, key_width.value, value_width.value}, value_heads.path);
  state.path = value_heads.path + " * " + key_width.path + " * " + value_width.path;
  // The convolution runs over queries, keys and values side by side.
  state.channels = exact_sum(
      exact_product({2, key_heads.value, key_width.value}, key_heads.path),
      exact_product({value_heads.value, value_width.value}, value_heads.path), key_heads.path);
  state.kernel = kernel.value;
  state.kernel_path = kernel.path;
  if (bits) {
    state.bits = bits->value;
  } else {
    state.other_format_likely = true;
    assumed.push_back({"linear_state_float32", fields.path_of("mamba_ssm_dtype"), "float32",
                       "the file states no format for the recurrent state; the reference "
                       "implementation keeps it in FP32"});
  }
  return state;
}

LayerState read_mamba_state(ConfigFields& fields, const CacheFormat& format,
                            std::vector<Assumption>& assumed) {
  LayerState state;
  const auto state_width = fields.needed({"ssm_state_size", "mamba_d_state"});
  const auto kernel = fields.needed({"conv_kernel", "mamba_d_conv"});
  state.kernel = kernel.value;
  state.kernel_path = kernel.path;
  fields.disregard({"chunk_size"});
  if (const auto heads = fields.count({"mamba_num_heads", "mamba_n_heads"})) {
    const auto width = fields.needed({"mamba_head_dim", "mamba_d_head"});
    const auto groups = fields.needed({"n_groups", "mamba_n_groups"});
    fields.disregard({"expand", "mamba_expand"});
    const std::int64_t inner = exact_product({heads->value, width.value}, heads->path);
    state.path = heads->path + " * " + width.path + " * " + state_width.path;
    state.values = exact_product({inner, state_width.value}, state_width.path);
    // The convolution also runs over the two state projections of each group.
    state.channels = exact_sum(
        inner, exact_product({2, groups.value, state_width.value}, groups.path), groups.path);
  } else {
    const auto expand = fields.needed({"mamba_expand", "expand"});
    const auto hidden = fields.needed({"hidden_size", "n_embd", "d_model"});
    const std::int64_t inner = exact_product({expand.value, hidden.value}, expand.path);
    state.path = expand.path + " * " + hidden.path + " * " + state_width.path;
    state.values = exact_product({inner, state_width.value}, state_width.path);
    state.channels = inner;
  }
  if (const auto bits = stated_bits(fields, {"mamba_ssm_dtype", "mamba_ssm_cache_dtype"})) {
    state.bits = bits->value;
  } else {
    state.bits = format.model_bits;
    state.other_format_likely = true;
    assumed.push_back({"mamba_state_model_dtype", fields.path_of("mamba_ssm_dtype"),
                       format.model_dtype,
                       "the file states no format for the recurrent state; the reference "
                       "implementation keeps it in the model's"});
  }
  return state;
}

LayerState read_convolution_state(ConfigFields& fields) {
  LayerState state;
  const auto kernel = fields.needed({"conv_L_cache"});
  state.kernel = kernel.value;
  state.kernel_path = kernel.path;
  const auto channels = fields.needed({"conv_dim", "hidden_size"});
  state.channels = channels.value;
  state.path = channels.path;
  fields.disregard({"conv_dim_out", "conv_use_xavier_init"});
  return state;
}

}  // namespace attn

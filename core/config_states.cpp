#include "core/config_states.h"

#include <optional>

namespace attn {
namespace {

/// Format of a recurrent state, where the file says.
std::optional<Field<int>> stated_bits(ConfigFields& fields, std::string_view names) {
  const auto dtype = fields.word(names);
  if (!dtype) return std::nullopt;
  const auto bits = float_bits(dtype->value);
  if (!bits) {
    refuse_config(RefusalCode::unknown_word, dtype->key,
                  "names a number format that the reader does not know: \"{}\"", dtype->value);
  }
  return Field<int>{*bits, dtype->key};
}

/// The key of a number that was multiplied from three.
KeyPath product_of(const Count& a, const Count& b, const Count& c) {
  return {a.key.level, {a.key.names[0], b.key.names[0], c.key.names[0]}, '*'};
}

}  // namespace

std::int64_t exact_product(const KeyPath& key, std::int64_t a, std::int64_t b, std::int64_t c) {
  std::int64_t product = 0;
  if (__builtin_mul_overflow(a, b, &product) || __builtin_mul_overflow(product, c, &product) ||
      product > kLargestCount) {
    refuse_config(RefusalCode::out_of_range, key, "makes a layer keep more than 2^53 - 1 bytes");
  }
  return product;
}

LayerState read_linear_state(ConfigFields& fields, std::int64_t linear_layers,
                             std::vector<Assumption>& assumed) {
  LayerState state;
  const auto bits = stated_bits(fields, "mamba_ssm_dtype linear_attention_state_dtype");
  if (const auto total = fields.count("linear_attention_state_bytes_total")) {
    state.stated_bytes = total->value / linear_layers;
    state.key = total->key;
    if (total->value % linear_layers != 0) {
      refuse_config(RefusalCode::out_of_range, total->key,
                    "does not divide evenly among the layers");
    }
    if (bits && state.stated_bytes * 8 % bits->value != 0) {
      refuse_config(RefusalCode::conflict, total->key,
                    "is no whole number of values of the format that {} states", bits->key);
    }
    return state;
  }
  const Count key_heads = fields.needed("linear_num_key_heads");
  const Count value_heads = fields.needed("linear_num_value_heads");
  const Count key_width = fields.needed("linear_key_head_dim");
  const Count value_width = fields.needed("linear_value_head_dim");
  state.kernel = fields.needed("linear_conv_kernel_dim");
  state.key = product_of(value_heads, key_width, value_width);
  state.values = exact_product(state.key, value_heads.value, key_width.value, value_width.value);
  // The convolution runs over queries, keys and values side by side. Each part is below 2⁵³.
  state.channels = exact_product(key_heads.key, 2, key_heads.value, key_width.value) +
                   exact_product(value_heads.key, value_heads.value, value_width.value);
  if (bits) {
    state.bits = bits->value;
  } else {
    state.other_format_likely = true;
    assumed.push_back({"linear_state_float32", fields.key("mamba_ssm_dtype").text(), "float32",
                       "the file states no format for the recurrent state; the reference "
                       "implementation keeps it in FP32"});
  }
  return state;
}

LayerState read_mamba_state(ConfigFields& fields, const CacheFormat& format,
                            std::vector<Assumption>& assumed) {
  LayerState state;
  const Count state_width = fields.needed("ssm_state_size mamba_d_state");
  state.kernel = fields.needed("conv_kernel mamba_d_conv");
  fields.disregard("chunk_size");
  const auto heads = fields.count("mamba_num_heads mamba_n_heads");
  // Mamba-2 states its inner width as heads of a width, Mamba as a multiple of the model's.
  const Count factor = heads ? *heads : fields.needed("mamba_expand expand");
  const Count width = fields.needed(heads ? "mamba_head_dim mamba_d_head" : "hidden_size");
  state.key = product_of(factor, width, state_width);
  state.values = exact_product(state.key, factor.value, width.value, state_width.value);
  state.channels = exact_product(state.key, factor.value, width.value);
  if (heads) {
    const Count groups = fields.needed("n_groups mamba_n_groups");
    fields.disregard("expand mamba_expand");
    // The convolution also runs over the two state projections of each group.
    state.channels += exact_product(groups.key, 2, groups.value, state_width.value);
  }
  if (const auto bits = stated_bits(fields, "mamba_ssm_dtype mamba_ssm_cache_dtype")) {
    state.bits = bits->value;
  } else {
    state.bits = format.model_bits;
    state.other_format_likely = true;
    assumed.push_back({"mamba_state_model_dtype", fields.key("mamba_ssm_dtype").text(),
                       std::string(format.model_dtype),
                       "the file states no format for the recurrent state; the reference "
                       "implementation keeps it in the model's"});
  }
  return state;
}

LayerState read_convolution_state(ConfigFields& fields) {
  LayerState state;
  state.kernel = fields.needed("conv_L_cache");
  const Count channels = fields.needed("conv_dim hidden_size");
  state.channels = channels.value;
  state.key = channels.key;
  fields.disregard("conv_dim_out conv_use_xavier_init");
  return state;
}

}  // namespace attn

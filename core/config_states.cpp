#include "core/config_states.h"

#include <optional>

#include "core/config_names.h"

namespace attn {
namespace {

/// Format of a recurrent state, where the file states it.
std::optional<Field<int>> stated_bits(ConfigFields& fields, std::string_view names) {
  const auto dtype = fields.word(names);
  if (!dtype || dtype->value == "auto") return std::nullopt;
  const auto bits = float_bits(dtype->value);
  if (!bits) {
    refuse_config(Reason::unknown_word, dtype->key, Detail::quoted(dtype->value), {},
                  "bfloat16, float16, float32");
  }
  return Field<int>{*bits, dtype->key};
}

/// The key of a number that was multiplied from three.
KeyPath product_of(const Count& a, const Count& b, const Count& c) {
  return {a.key.level, {a.key.names[0], b.key.names[0], c.key.names[0]}, '*'};
}

/// The state in the model's format, as reference implementations keep it, or as the file states.
void set_bits(LayerState& state, ConfigFields& fields, const CacheFormat& format,
              std::vector<Assumption>& assumed) {
  if (const auto bits = stated_bits(fields, "mamba_ssm_dtype mamba_ssm_cache_dtype")) {
    state.bits = bits->value;
    return;
  }
  state.bits = format.model_bits;
  state.other_format_likely = true;
  assumed.push_back({"mamba_state_model_dtype",
                     fields.key("mamba_ssm_dtype").text(),
                     std::string(format.model_dtype),
                     "the file states no format for the recurrent state; the reference "
                     "implementation keeps it in the model's",
                     {}});
}

/// A width that may be written "auto"; absent then.
std::optional<Count> width_unless_auto(ConfigFields& fields, std::string_view names) {
  const auto found = fields.value(names);
  if (!found || found->value->is(ConfigValue::Type::string)) return std::nullopt;
  return fields.count(names);
}

}  // namespace

std::int64_t exact_product(const KeyPath& key, std::int64_t a, std::int64_t b, std::int64_t c) {
  std::int64_t product = 0;
  if (__builtin_mul_overflow(a, b, &product) || __builtin_mul_overflow(product, c, &product) ||
      product > kLargestCount) {
    refuse_config(Reason::too_many_bytes, key, {}, {}, kLargestCount);
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
      refuse_config(Reason::not_shared_evenly, total->key, total->value, {}, linear_layers);
    }
    if (bits && state.stated_bytes * 8 % bits->value != 0) {
      refuse_config(Reason::not_shared_evenly, total->key, total->value, {}, bits->value / 8);
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
    assumed.push_back({"linear_state_float32",
                       fields.key("mamba_ssm_dtype").text(),
                       "float32",
                       "the file states no format for the recurrent state; the reference "
                       "implementation keeps it in FP32",
                       {}});
  }
  return state;
}

LayerState read_delta_state(ConfigFields& fields, std::string_view heads_name) {
  LayerState state;
  const Count heads = fields.needed(heads_name);
  const Count width = fields.needed("head_dim");
  state.kernel = fields.needed("short_conv_kernel_size");
  state.key = product_of(heads, width, width);
  state.values = exact_product(state.key, heads.value, width.value, width.value);
  state.channels = exact_product(state.key, 3, heads.value, width.value);
  return state;
}

LayerState read_lightning_state(ConfigFields& fields, const Count& heads, const Count& width,
                                const CacheFormat& format, std::vector<Assumption>& assumed) {
  LayerState state;
  state.key = product_of(heads, width, width);
  state.values = exact_product(state.key, heads.value, width.value, width.value);
  set_bits(state, fields, format, assumed);
  return state;
}

LayerState read_mamba_state(ConfigFields& fields, const CacheFormat& format,
                            std::vector<Assumption>& assumed) {
  LayerState state;
  const Count state_width = fields.needed("ssm_state_size mamba_d_state state_size");
  state.kernel = fields.needed("conv_kernel mamba_d_conv conv_dimension");
  fields.disregard("chunk_size mamba_expand expand expansion_factor n_mamba_heads mamba_headdim");
  const auto inner = fields.count("mamba_d_ssm");
  const auto heads = fields.count("mamba_num_heads mamba_n_heads");
  const auto head_width = width_unless_auto(fields, "mamba_head_dim mamba_d_head");
  // The inner width is stated, or that many heads of that width, or a multiple of the model's.
  const bool by_heads = !inner && heads && head_width;
  const Count one = inner      ? *inner
                    : by_heads ? *heads
                               : fields.needed("mamba_expand expand expansion_factor");
  const Count width = inner ? Count{1, {}} : by_heads ? *head_width : fields.needed("hidden_size");
  state.key = product_of(one, width.key ? width : state_width,
                         width.key ? state_width : Count{1, KeyPath{}});
  state.values = exact_product(state.key, one.value, width.value, state_width.value);
  state.channels = exact_product(state.key, one.value, width.value);
  auto groups = fields.count("n_groups mamba_n_groups mamba_ngroups");
  if (!groups && heads) groups = fields.needed("n_groups mamba_n_groups mamba_ngroups");
  // In Mamba-2 the convolution also runs over the two state projections of each group.
  if (groups) {
    state.channels += exact_product(groups->key, 2, groups->value, state_width.value);
  }
  set_bits(state, fields, format, assumed);
  return state;
}

LayerState read_recurrent_state(ConfigFields& fields) {
  LayerState state;
  const auto width = fields.count("lru_width");
  const Count channels = width ? *width : fields.needed(kModelWidthNames);
  state.values = channels.value;
  state.channels = channels.value;
  state.key = channels.key;
  state.kernel = fields.needed("conv1d_width");
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

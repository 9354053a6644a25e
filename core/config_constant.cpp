#include "core/config_constant.h"

#include "core/config_format.h"
#include "core/config_names.h"
#include "core/config_states.h"

namespace attn {
namespace {

constexpr std::int64_t kFloatBytes = 4;

/// A product or sum with the text that shows how it is made.
struct Term {
  std::int64_t value;
  std::string text;
};

Term number(std::int64_t value) { return {value, std::to_string(value)}; }

Term operator*(const Term& a, const Term& b) {
  return {exact_product({}, a.value, b.value), a.text + " × " + b.text};
}

/// Each part is below 2⁵³, so that the sum stays in range.
Term operator+(const Term& a, const Term& b) {
  return {a.value + b.value, a.text + " + " + b.text};
}

Term bracket(const Term& a) { return {a.value, "(" + a.text + ")"}; }

ConstantState of_all_layers(const Count& layers, const Term& one) {
  const Term all = number(layers.value) * bracket(one);
  return {all.value, all.text};
}

/// The inner width: stated, or a number of heads of one width, or a multiple of the model's.
Term mamba_inner(ConfigFields& fields, bool in_groups) {
  const auto heads = fields.count("num_heads");
  if (heads && in_groups) return number(heads->value) * number(fields.needed("head_dim").value);
  if (const auto stated = fields.count("intermediate_size d_inner")) return number(stated->value);
  return number(fields.needed("expand").value) * number(fields.needed(kModelWidthNames).value);
}

ConstantState mamba(ConfigFields& fields, const Term& model_bytes) {
  const Count layers = fields.needed(kLayersNames);
  const Term width = number(fields.needed("state_size ssm_state_size mamba_d_state").value);
  const std::int64_t kernel = fields.needed("conv_kernel mamba_d_conv").value;
  const auto groups = fields.count("n_groups");
  const Term inner = mamba_inner(fields, groups.has_value());
  Term channels = inner;
  // In Mamba-2 the convolution also runs over the two state projections of each group.
  if (groups) channels = bracket(inner + number(2) * number(groups->value) * width);
  const Term values = inner * width + channels * number(kernel - 1);
  return of_all_layers(layers, bracket(values) * model_bytes);
}

ConstantState rwkv4(ConfigFields& fields, const Term& model_bytes) {
  const Count layers = fields.needed(kLayersNames);
  const Count width = fields.needed(kModelWidthNames);
  const auto inner = fields.count("attention_hidden_size");
  if (inner && inner->value != width.value) {
    refuse_config(Reason::two_values, inner->key, inner->value, width.key, width.value);
  }
  const Term bytes = bracket(number(2) * model_bytes + number(3) * number(kFloatBytes));
  const Term all = number(layers.value) * number(width.value) * bytes;
  return {all.value, all.text};
}

/// RWKV-5, -6 and -7.
ConstantState rwkv(ConfigFields& fields, std::string_view head_names, const Term& model_bytes) {
  const Count layers = fields.needed(kLayersNames);
  const Count width = fields.needed(kModelWidthNames);
  const Count head = fields.needed(head_names);
  const auto stated = fields.count("attention_hidden_size");
  const Count inner = stated ? *stated : width;
  if (inner.value % head.value != 0) {
    refuse_config(Reason::not_divisible, inner.key, inner.value, head.key, head.value);
  }
  const Term square = number(head.value) * number(head.value);
  const Term states = number(inner.value / head.value) * square * number(kFloatBytes);
  return of_all_layers(layers, states + number(2) * number(width.value) * model_bytes);
}

}  // namespace

std::optional<ConstantState> constant_state(std::vector<ConfigFields>& levels,
                                            std::string_view class_name) {
  ConfigFields& fields = levels.back();
  try {
    std::vector<Assumption> unused;
    const Term model_bytes = number(read_cache_format(levels, unused).model_bits / 8);
    if (class_name == "rwkv" || class_name == "rwkv4") return rwkv4(fields, model_bytes);
    if (class_name == "rwkv5" || class_name == "rwkv6") {
      return rwkv(fields, "head_size", model_bytes);
    }
    if (class_name == "rwkv7") return rwkv(fields, "head_dim head_size", model_bytes);
    return mamba(fields, model_bytes);
  } catch (const Refusal&) {
    return std::nullopt;
  }
}

}  // namespace attn

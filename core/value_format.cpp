#include "core/value_format.h"

#include <array>

namespace attn {
namespace {

struct Named {
  std::string_view name;
  ValueFormat format;
};

constexpr std::array kFormats = {
    Named{"fp32", {32, 0, 0}},         Named{"bf16", {16, 0, 0}},  Named{"fp16", {16, 0, 0}},
    Named{"fp8", {8, 0, 0}},           Named{"int8", {8, 0, 0}},   Named{"fp4", {4, 0, 0}},
    Named{"int4", {4, 0, 0}},          Named{"q8_0", {8, 16, 32}}, Named{"q5_1", {5, 32, 32}},
    Named{"q5_0", {5, 16, 32}},        Named{"q4_1", {4, 32, 32}}, Named{"q4_0", {4, 16, 32}},
    Named{"iq4_nl", {4, 16, 32}},      Named{"nvfp4", {4, 8, 16}}, Named{"mxfp4", {4, 8, 32}},
    Named{"fp8_per_head", {8, 32, 0}},
};

}  // namespace

std::optional<ValueFormat> value_format(std::string_view name) {
  for (const Named& known : kFormats) {
    if (known.name == name) return known.format;
  }
  return std::nullopt;
}

std::string value_format_names() {
  std::string names;
  for (const Named& known : kFormats) {
    if (!names.empty()) names += ", ";
    names.append(known.name);
  }
  return names;
}

}  // namespace attn

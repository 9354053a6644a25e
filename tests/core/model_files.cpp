#include "tests/core/model_files.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>

#include "core/programs/json_config.h"

namespace attn {
namespace {

const std::string kRoot = ATTN_SOURCE_DIR "/";

void describe(std::string& text, const CacheLayout& layout) {
  for (const LayerKind& kind : layout) {
    text.append(name(kind.kind));
    for (const std::int64_t number : {kind.layers, kind.heads, kind.k_width, kind.v_width,
                                      kind.window, kind.state_bytes, kind.own_bits}) {
      text.append(" ").append(std::to_string(number));
    }
    text.append("\n");
  }
}

}  // namespace

std::string read_project_file(const std::string& path) {
  std::ifstream file(kRoot + path, std::ios::binary);
  if (!file) throw std::runtime_error("cannot read " + kRoot + path);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::vector<std::string> model_names() {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(kRoot + "lessons/models")) {
    if (entry.path().extension() == ".json") names.push_back(entry.path().stem().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

ConfigValue model_config(const std::string& name) {
  return *parse_config(read_project_file("lessons/models/" + name + ".json")).find("config");
}

std::string described(const ValueFormat& format) {
  std::string text = std::to_string(format.bits);
  if (format.scale_bits > 0) {
    text += "+" + std::to_string(format.scale_bits) + "/" + std::to_string(format.scale_block);
  }
  return text;
}

std::string described(const std::variant<ModelCache, Refusal>& result) {
  if (const auto* refusal = std::get_if<Refusal>(&result)) {
    return "refused " + std::string(name(refusal->reason)) + " " + refusal->field + ": " +
           reason_text(*refusal) + "; expected " + expected_text(*refusal);
  }
  const auto& cache = std::get<ModelCache>(result);
  std::string text;
  describe(text, cache.layout);
  text += cache.dtype + " " + described(cache.format) + " of " + std::to_string(cache.n_layers) +
          " layers, " + std::to_string(cache.n_heads) + " heads, context " +
          std::to_string(cache.max_context) +
          (cache.passes > 1 ? ", passes " + std::to_string(cache.passes) : "") + "\n";
  for (const std::size_t kind : cache.layer_kinds) text += std::to_string(kind) + " ";
  for (const FieldSource& source : cache.sources) {
    text += "\n" + std::to_string(source.kind) + " ";
    text.append(source.field).append(" from ") += source.path;
  }
  for (const Assumption& assumption : cache.assumed) {
    text.append("\nassumed ").append(assumption.code).append(" ");
    text += assumption.field + " = " + assumption.value;
  }
  for (const CacheVariant& variant : cache.variants) {
    text.append("\nvariant ").append(variant.code).append("\n");
    describe(text, variant.layout);
    text += described(variant.format);
  }
  for (const Doubt& doubt : cache.doubts) {
    text += "\ndoubt " + doubt.field + " = " + doubt.value;
  }
  for (const std::string& key : cache.ignored) text += "\nignored " + key;
  return text;
}

ModelCache read_or_fail(const ConfigValue& config) {
  const auto result = read_config(config);
  if (std::holds_alternative<Refusal>(result)) FAIL(described(result));
  return std::get<ModelCache>(result);
}

std::string refusal_of(std::string_view json) {
  const auto result = read_config(parse_config(json));
  const auto* refusal = std::get_if<Refusal>(&result);
  if (refusal == nullptr) return "accepted";
  return std::string(name(code_of(refusal->reason))) + " " + refusal->field;
}

std::string four_layers(const std::string& more) {
  return R"({"num_hidden_layers": 4, "num_attention_heads": 2, "num_key_value_heads": 1,
             "head_dim": 8, "torch_dtype": "bfloat16")" +
         (more.empty() ? "" : ", " + more) + "}";
}

std::string doubts_of(const std::string& json) {
  std::string text;
  for (const Doubt& doubt : read_or_fail(parse_config(json)).doubts) {
    text.append(text.empty() ? "" : ", ").append(doubt.field) += "=" + doubt.value;
  }
  return text;
}

}  // namespace attn

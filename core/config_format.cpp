#include "core/config_format.h"

#include <algorithm>
#include <array>

namespace attn {
namespace {

struct Format {
  std::string_view word;
  std::string_view name;
  int bits;
};

constexpr std::array kFloats = {
    Format{"bfloat16", "bfloat16", 16}, Format{"bf16", "bfloat16", 16},
    Format{"float16", "float16", 16},   Format{"fp16", "float16", 16},
    Format{"half", "float16", 16},      Format{"float32", "float32", 32},
    Format{"fp32", "float32", 32},      Format{"float", "float32", 32},
};

// Formats that weights are stored in and nothing is computed in.
constexpr std::array<std::string_view, 6> kStorageOnly = {
    "float8_e4m3fn", "float8_e5m2", "fp8", "int8", "uint8", "auto",
};

// Names of 8-bit cache formats; those with scales between the values are not modelled.
constexpr std::array<std::string_view, 6> kByteCaches = {
    "FP8", "fp8", "fp8_e4m3", "fp8_e5m2", "INT8", "int8",
};

constexpr std::array<std::string_view, 3> kQuantisation = {"quantization_config",
                                                           "compression_config", "quantization"};

std::string_view without_torch(std::string_view dtype) {
  constexpr std::string_view kPrefix = "torch.";
  return dtype.starts_with(kPrefix) ? dtype.substr(kPrefix.size()) : dtype;
}

const Format* find_float(std::string_view dtype) {
  for (const Format& format : kFloats) {
    if (format.word == without_torch(dtype)) return &format;
  }
  return nullptr;
}

template <std::size_t N>
bool contains(const std::array<std::string_view, N>& words, std::string_view word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

/// Whatever the file says about the format of the cache inside its description of quantisation.
std::optional<Field<int>> read_cache_bits(ConfigFields quantisation) {
  std::optional<Field<int>> bits;
  if (const auto scheme = quantisation.value({"kv_cache_scheme"})) {
    if (!scheme->value->is(ConfigValue::Type::object)) {
      refuse_config(RefusalCode::wrong_type, scheme->path, "expected an object");
    }
    const auto stated = ConfigFields(*scheme->value, scheme->path).needed({"num_bits"});
    if (stated.value != 8) {
      refuse_config(RefusalCode::not_modelled, stated.path,
                    "only caches of 8 bits a value are modelled, others carry scales between them");
    }
    bits = {8, stated.path};
  }
  if (const auto algorithm = quantisation.word({"kv_cache_quant_algo", "kv_cache_dtype"})) {
    if (!contains(kByteCaches, algorithm->value)) {
      refuse_config(RefusalCode::unknown_word, algorithm->path,
                    "names a cache format that is not modelled: \"" + algorithm->value + "\"");
    }
    bits = {8, algorithm->path};
  }
  const ConfigValue& object = quantisation.object();
  for (std::size_t i = 0; i < object.keys().size(); i++) {
    const std::string& key = object.keys()[i];
    const bool about_the_cache = key.find("cache") != std::string::npos || key.starts_with("kv");
    if (about_the_cache && !quantisation.was_asked(i) &&
        !object.values()[i].is(ConfigValue::Type::null)) {
      refuse_config(RefusalCode::unknown_key, quantisation.path_of(key),
                    "speaks of the cache, and the reader does not know it");
    }
  }
  return bits;
}

}  // namespace

std::optional<int> float_bits(std::string_view dtype) {
  const Format* format = find_float(dtype);
  if (format == nullptr) return std::nullopt;
  return format->bits;
}

CacheFormat read_cache_format(std::span<ConfigFields> levels, std::vector<Assumption>& assumed) {
  CacheFormat result;
  std::optional<Field<std::string>> stated;
  for (std::size_t i = levels.size(); i-- > 0;) {
    const auto here = levels[i].word({"torch_dtype", "dtype"});
    if (here && stated && without_torch(here->value) != without_torch(stated->value)) {
      assumed.push_back({"inner_dtype", stated->path, stated->value,
                         "the file states another format further out; the one beside the language "
                         "model counts"});
    }
    if (here && !stated) stated = here;
    for (const std::string_view name : kQuantisation) {
      const auto quantisation = levels[i].value({name});
      if (!quantisation || !quantisation->value->is(ConfigValue::Type::object)) continue;
      const auto bits = read_cache_bits(ConfigFields(*quantisation->value, quantisation->path));
      if (bits && !result.cache_bits) result.cache_bits = bits;
    }
  }
  const Format* format = stated ? find_float(stated->value) : nullptr;
  if (format != nullptr) {
    result.model_dtype = format->name;
    result.model_bits = format->bits;
    result.path = stated->path;
  } else if (!stated || contains(kStorageOnly, without_torch(stated->value))) {
    result.model_dtype = "bfloat16";
    assumed.push_back(
        {"dtype_bfloat16", stated ? stated->path : levels.back().path_of("torch_dtype"), "bfloat16",
         stated ? "the stated format is one of stored weights; keys and values read as BF16"
                : "the file states no number format; read as BF16, 2 bytes a value"});
  } else {
    refuse_config(RefusalCode::unknown_word, stated->path,
                  "names a number format that the reader does not know: \"" + stated->value + "\"");
  }
  return result;
}

}  // namespace attn

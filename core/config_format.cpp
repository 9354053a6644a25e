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

// Formats of stored weights that no layer computes in.
constexpr std::array<std::string_view, 6> kStorageOnly = {
    "float8_e4m3fn", "float8_e5m2", "fp8", "int8", "uint8", "auto",
};

// Names of 8-bit cache formats; those with scales between the values are not modelled.
constexpr std::array<std::string_view, 6> kByteCaches = {
    "FP8", "fp8", "fp8_e4m3", "fp8_e5m2", "INT8", "int8",
};

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

/// Reads the format of the cache from a description of quantisation.
void read_cache_bits(ConfigFields quantisation, CacheFormat& format) {
  std::string path;
  if (const auto scheme = quantisation.value("kv_cache_scheme", ConfigValue::Type::object)) {
    ConfigFields fields(*scheme->value, scheme->key.text());
    const Count bits = fields.needed("num_bits");
    if (bits.value != 8) {
      refuse_config(RefusalCode::not_modelled, bits.key,
                    "only caches of 8 bits a value are modelled, others carry scales between them");
    }
    path = bits.key.text();
  }
  if (const auto algorithm = quantisation.word("kv_cache_quant_algo kv_cache_dtype")) {
    if (!contains(kByteCaches, algorithm->value)) {
      refuse_config(RefusalCode::unknown_word, algorithm->key,
                    "names a cache format that is not modelled: \"{}\"", algorithm->value);
    }
    path = algorithm->key.text();
  }
  const ConfigValue& object = quantisation.object();
  for (std::size_t i = 0; i < object.keys().size(); i++) {
    const std::string& key = object.keys()[i];
    const bool about_the_cache = key.find("cache") != std::string::npos || key.starts_with("kv");
    if (about_the_cache && !quantisation.was_asked(i) &&
        !object.values()[i].is(ConfigValue::Type::null)) {
      refuse_config(RefusalCode::unknown_key, quantisation.key(key),
                    "speaks of the cache, and the reader does not know it");
    }
  }
  // The levels are read from the innermost on, and the innermost statement counts.
  if (path.empty() || format.cache_bits != 0) return;
  format.cache_bits = 8;
  format.cache_path = path;
}

}  // namespace

std::optional<int> float_bits(std::string_view dtype) {
  const Format* format = find_float(dtype);
  if (format == nullptr) return std::nullopt;
  return format->bits;
}

CacheFormat read_cache_format(std::span<ConfigFields> levels, std::vector<Assumption>& assumed) {
  CacheFormat result;
  std::optional<Field<std::string_view>> stated;
  for (std::size_t i = levels.size(); i-- > 0;) {
    const auto here = levels[i].word("torch_dtype dtype");
    if (here && stated && without_torch(here->value) != without_torch(stated->value)) {
      assumed.push_back({"inner_dtype", stated->key.text(), std::string(stated->value),
                         "the file states another format further out; the one beside the language "
                         "model counts"});
    }
    if (!stated) stated = here;
    for (const std::string_view name : kQuantisationKeys) {
      const auto quantisation = levels[i].value(name);
      if (!quantisation || !quantisation->value->is(ConfigValue::Type::object)) continue;
      read_cache_bits(ConfigFields(*quantisation->value, quantisation->key.text()), result);
    }
  }
  const Format* format = stated ? find_float(stated->value) : nullptr;
  if (format != nullptr) {
    result.model_dtype = format->name;
    result.model_bits = format->bits;
    result.path = stated->key.text();
  } else if (!stated || contains(kStorageOnly, without_torch(stated->value))) {
    result.model_dtype = "bfloat16";
    const KeyPath key = stated ? stated->key : levels.back().key("torch_dtype");
    assumed.push_back(
        {"dtype_bfloat16", key.text(), "bfloat16",
         stated ? "the stated format is one of stored weights; keys and values read as BF16"
                : "the file states no number format; read as BF16, 2 bytes a value"});
  } else {
    refuse_config(RefusalCode::unknown_word, stated->key,
                  "names a number format that the reader does not know: \"{}\"", stated->value);
  }
  return result;
}

}  // namespace attn

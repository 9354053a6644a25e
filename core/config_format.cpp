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

/// A cache format that a description of quantisation names.
ValueFormat cache_format_of(std::string_view word, const KeyPath& key) {
  std::string lower(word);
  for (char& c : lower) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  if (lower.starts_with("fp8")) lower = "fp8";
  const auto format = value_format(lower);
  if (!format)
    refuse_config(Reason::unknown_word, key, Detail::quoted(word), {}, "FP8, INT8, NVFP4");
  return *format;
}

/// "8-bit" for formats of one byte without scales, whose exact name does not matter.
std::string_view dtype_name(const ValueFormat& format) {
  return format.scale_bits > 0 ? "nvfp4" : format.bits == 8 ? "8-bit" : "16-bit";
}

struct StoredFormat {
  ValueFormat format;
  KeyPath key;
};

/// The scheme is an object with `num_bits`, or the name of a format.
std::optional<StoredFormat> read_scheme(ConfigFields& quantisation, std::string& path) {
  const auto scheme = quantisation.value("kv_cache_scheme");
  if (!scheme) return std::nullopt;
  if (scheme->value->is(ConfigValue::Type::string)) {
    path = scheme->key.text();
    return StoredFormat{cache_format_of(scheme->value->as_string(), scheme->key), scheme->key};
  }
  const auto object = quantisation.value("kv_cache_scheme", ConfigValue::Type::object);
  ConfigFields fields = quantisation.inner(*object);
  const Count bits = fields.needed("num_bits");
  if (bits.value != 8) refuse_config(Reason::unknown_word, bits.key, bits.value, {}, "8");
  path = bits.key.text();
  return StoredFormat{ValueFormat{.bits = 8}, scheme->key};
}

/// Reads the format of the cache from a description of quantisation.
void read_stored_format(ConfigFields quantisation, CacheFormat& format) {
  std::string path;
  auto stored = read_scheme(quantisation, path);
  if (const auto algorithm = quantisation.word("kv_cache_quant_algo kv_cache_dtype")) {
    // "auto" keeps the model's own format.
    if (algorithm->value != "auto") {
      stored = StoredFormat{cache_format_of(algorithm->value, algorithm->key), algorithm->key};
      path = algorithm->key.text();
    }
  }
  // The outermost statement counts, and comes first.
  if (!stored || format.stored) return;
  format.stored = stored->format;
  format.cache_dtype = dtype_name(stored->format);
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
  for (ConfigFields& level : levels) {
    const auto here = level.word("torch_dtype dtype");
    if (here && stated && without_torch(here->value) != without_torch(stated->value)) {
      assumed.push_back({"outer_dtype",
                         stated->key.text(),
                         std::string(stated->value),
                         "the file states another format further in; engines take the outer one",
                         {}});
    }
    if (!stated) stated = here;
    for (const std::string_view name : kQuantisationKeys) {
      const auto quantisation = level.value(name);
      if (!quantisation || !quantisation->value->is(ConfigValue::Type::object)) continue;
      read_stored_format(level.inner(*quantisation), result);
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
        {"dtype_bfloat16",
         key.text(),
         "bfloat16",
         stated ? "the stated format is one of stored weights; keys and values read as BF16"
                : "the file states no number format; read as BF16, 2 bytes a value",
         {}});
  } else {
    refuse_config(Reason::unknown_word, stated->key, Detail::quoted(stated->value), {},
                  "bfloat16, float16, float32");
  }
  return result;
}

}  // namespace attn

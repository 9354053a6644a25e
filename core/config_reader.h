// Reads the layout of a model's KV cache from its published config, by the meaning of the fields.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/config_value.h"
#include "core/kv_cache.h"

namespace attn {

/// The config key that gave a number of the layout.
struct FieldSource {
  std::size_t kind = 0;    // index into the layout
  std::string_view field;  // name of the member of LayerKind
  std::string path;        // the config key, as in "text_config.num_key_value_heads"
};

/// A value that the file leaves out and the reader filled in.
struct Assumption {
  std::string_view code;  // stable, for translation
  std::string field;
  std::string value;
  std::string_view why;
};

/// The same model as another engine may keep it.
struct CacheVariant {
  std::string_view code;  // stable, for translation
  std::string_view what;
  CacheLayout layout;
  int bits_per_value = 16;
};

struct ModelCache {
  CacheLayout layout;
  /// For each layer from the input on, its entry in the layout (the first one, where a layer has
  /// two); empty where the file gives counts only.
  std::vector<std::size_t> layer_kinds;
  std::string dtype;       // of keys and values: "float32", "float16", "bfloat16" or "8-bit"
  std::string dtype_path;  // the key that states it; empty where it was assumed
  int bits_per_value = 16;
  std::int64_t n_layers = 0;
  std::int64_t n_heads = 0;      // query heads of a layer; 0 where the file does not say
  std::int64_t max_context = 0;  // tokens the model is made for; 0 where the file does not say
  std::vector<FieldSource> sources;
  std::vector<Assumption> assumed;
  std::vector<CacheVariant> variants;
  std::vector<std::string> ignored;  // unknown keys whose names do not speak of the cache
};

enum class RefusalCode {
  not_an_object,
  missing,     // a field that the layout needs
  wrong_type,  // text where a number belongs, …
  out_of_range,
  conflict,      // two fields contradict each other
  unknown_key,   // its name speaks of the cache
  unknown_word,  // a value of a known field
  not_modelled,
};

/// The code's name as it crosses boundaries ("missing", …).
std::string_view name(RefusalCode code);

struct Refusal {
  RefusalCode code = RefusalCode::missing;
  std::string field;   // path of the key that caused it; empty for the whole file
  std::string reason;  // one English sentence
};

/// Reads the cache from the config alone, or refuses the config. Names of models (`model_type`,
/// `architectures`) have no influence, and every value that is filled in is listed.
///
/// Field meanings: the configuration classes of Hugging Face Transformers, and for older names
/// the models' own (GPT-2, Falcon, ChatGLM, …).
std::variant<ModelCache, Refusal> read_config(const ConfigValue& config);

}  // namespace attn

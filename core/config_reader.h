// Reads the layout of a model's KV cache from its published config, by the meaning of the fields.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/config_fields.h"
#include "core/config_refusal.h"
#include "core/config_value.h"
#include "core/kv_cache.h"

namespace attn {

/// The config key that gave a number of the layout.
struct FieldSource {
  std::size_t kind = 0;    // index into the layout
  std::string_view field;  // name of the member of LayerKind
  std::string path;        // the config key, as in "text_config.num_key_value_heads"
};

/// An unknown key that could change the cache. The numbers are those without it.
struct Doubt {
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
  ValueFormat format;
};

struct ModelCache {
  CacheLayout layout;
  /// For each layer from the input on, its entry in the layout (the first one, where a layer has
  /// several); empty where the file gives counts only.
  std::vector<std::size_t> layer_kinds;
  std::string dtype;       // of keys and values: "float32", "float16", "bfloat16", "8-bit", "nvfp4"
  std::string dtype_path;  // the key that states it; empty where it was assumed
  ValueFormat format;      // of keys and values
  std::int64_t n_layers = 0;
  std::int64_t passes = 1;       // of each token through all layers, each with a cache of its own
  std::int64_t n_heads = 0;      // query heads of a layer; 0 where the file does not say
  std::int64_t max_context = 0;  // tokens the model is made for; 0 where the file does not say
  std::vector<FieldSource> sources;
  std::vector<Assumption> assumed;
  std::vector<CacheVariant> variants;
  std::vector<Doubt> doubts;
  std::vector<std::string> ignored;  // unknown keys whose names do not speak of the cache
};

/// Reads the cache from the meaning of the fields, or refuses the config.
///
/// `model_type` supplies the defaults of its published class, identifies models without a cache,
/// and has no other influence; every supplied value is listed in `assumed`.
///
/// @param ignored  paths of keys that count as absent, as in "text_config.some_key"
///
/// Field meanings: the configuration classes of Hugging Face Transformers, and for older names
/// the models' own (GPT-2, Falcon, ChatGLM, …).
std::variant<ModelCache, Refusal> read_config(const ConfigValue& config,
                                              const std::vector<std::string>& ignored = {});

}  // namespace attn

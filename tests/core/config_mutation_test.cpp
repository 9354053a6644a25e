// Every key of a published config counts: changing one changes the result or refuses the file,
// unless the key is known not to matter or is a listed exception of that model.
#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "core/config_keys.h"
#include "tests/core/model_files.h"

using namespace attn;

namespace {

using Type = ConfigValue::Type;

/// A copy of an object or list with one value replaced, or left out.
ConfigValue with(const ConfigValue& whole, std::size_t index, const ConfigValue* replacement) {
  const bool object = whole.is(Type::object);
  ConfigValue copy = object ? ConfigValue::object() : ConfigValue::list();
  for (std::size_t i = 0; i < whole.values().size(); i++) {
    if (i == index && replacement == nullptr) continue;
    const ConfigValue& value = i == index ? *replacement : whole.values()[i];
    if (object) {
      copy.add(whole.keys()[i], value);
    } else {
      copy.add(value);
    }
  }
  return copy;
}

/// Other values that could stand in a value's place.
std::vector<ConfigValue> mutations(const ConfigValue& value) {
  switch (value.type()) {
    case Type::boolean:
      return {ConfigValue(!value.as_boolean()), ConfigValue("nonsense")};
    case Type::number:
      return {ConfigValue(value.as_number() + 1), ConfigValue(value.as_number() * 2 + 1),
              ConfigValue(value.as_number() + 0.5), ConfigValue(-1.0), ConfigValue("nonsense")};
    case Type::string:
      return {ConfigValue("nonsense"), ConfigValue(1.0)};
    case Type::list: {
      std::vector<ConfigValue> all = {ConfigValue("nonsense")};
      if (value.values().empty()) return all;
      all.push_back(with(value, 0, nullptr));
      all.push_back(with(value, value.values().size() - 1, nullptr));
      for (const ConfigValue& first : mutations(value.values()[0])) {
        all.push_back(with(value, 0, &first));
      }
      return all;
    }
    case Type::object: {
      std::vector<ConfigValue> all = {ConfigValue("nonsense")};
      for (std::size_t i = 0; i < value.values().size(); i++) {
        if (value.keys()[i] == "ffn") continue;  // the feed-forward part of a block
        for (const ConfigValue& inner : mutations(value.values()[i])) {
          all.push_back(with(value, i, &inner));
        }
      }
      return all;
    }
    case Type::null:
      return {};
  }
  return {};
}

// Keys that matter in some configs but not in these: another key overrides them, or switches them
// off.
const std::map<std::string, std::set<std::string>> kDecoys = {
    {"gpt2", {"n_ctx"}},
    {"qwen2.5-7b", {"max_window_layers", "sliding_window"}},
    {"qwen3-0.6b", {"max_window_layers"}},
    {"qwen3-30b-a3b", {"max_window_layers"}},
    {"mimo-7b", {"max_window_layers", "sliding_window"}},
    {"mimo-v2-flash", {"swa_num_attention_heads"}},
    {"nemotron-h-56b", {"expand", "chunk_size"}},
    {"laguna-xs.2-fp8", {"num_attention_heads_per_layer"}},
};

// Keys that another key of the file repeats or implies: they may be left out, not contradicted.
const std::map<std::string, std::set<std::string>> kRepeated = {
    {"anchor-model", {"linear_attention_state_dtype"}},  // the state is given in bytes
    {"chatglm3-6b", {"multi_query_attention"}},
    {"falcon-40b", {"new_decoder_architecture"}},
    {"falcon-7b", {"num_kv_heads"}},
    {"gemma-3-1b", {"cache_implementation"}},
    {"gemma-4-26b-a4b", {"dtype"}},  // so at the top level
    {"gpt2", {"n_positions"}},
    {"kimi-k2.5", {"dtype"}},
    {"lfm2-1.2b", {"conv_dim"}},
    {"llama-4-scout", {"torch_dtype"}},
    {"mimo-v2-flash", {"attention_chunk_size", "sliding_window_size"}},
    {"qwen3.5-27b", {"full_attention_interval"}},
};

bool lists(const std::map<std::string, std::set<std::string>>& table, const std::string& model,
           const std::string& key) {
  const auto found = table.find(model);
  return found != table.end() && found->second.contains(key);
}

// Latent attention has no key-value heads; indexers share one key.
const std::set<std::string> kLatentDecoys = {"num_key_value_heads", "head_dim", "qk_head_dim",
                                             "index_n_heads", "index_topk"};

// The model's width decides only where the width of a head is derived from it.
bool is_decoy(const std::string& model, const ConfigValue& config, const std::string& key) {
  if (lists(kDecoys, model, key)) return true;
  if (config.find("kv_lora_rank") != nullptr && kLatentDecoys.contains(key)) return true;
  if (key != "hidden_size") return false;
  for (const char* stated : {"head_dim", "attention_head_dim", "kv_channels", "kv_lora_rank"}) {
    if (config.find(stated) != nullptr) return true;
  }
  return false;
}

struct Level {
  const ConfigValue* object;
  std::string key;  // under which it stands in the root; empty for the root itself
};

Level language_model(const ConfigValue& root) {
  const ConfigValue* inner = root.find("text_config");
  return inner == nullptr ? Level{&root, ""} : Level{inner, "text_config"};
}

ConfigValue with_level(const ConfigValue& root, const Level& level, const ConfigValue& changed) {
  if (level.key.empty()) return changed;
  const auto& keys = root.keys();
  const auto at = std::find(keys.begin(), keys.end(), level.key) - keys.begin();
  return with(root, static_cast<std::size_t>(at), &changed);
}

/// Two configs may differ in keys that only change the assumed or derived values; the texts show
/// that.
void check_mutations(const std::string& model) {
  const ConfigValue root = model_config(model);
  const std::string before = described(read_config(root));
  const Level level = language_model(root);
  for (std::size_t i = 0; i < level.object->keys().size(); i++) {
    const std::string& key = level.object->keys()[i];
    const ConfigValue& value = level.object->values()[i];
    if (is_known_not_to_matter(key) || key == "quantization_config") continue;
    if (value.is(Type::null) || is_decoy(model, *level.object, key)) continue;
    INFO(model << ": " << key);
    for (const ConfigValue& mutated : mutations(value)) {
      const ConfigValue changed = with(*level.object, i, &mutated);
      CHECK(described(read_config(with_level(root, level, changed))) != before);
    }
    // A switch that is off equals a missing one.
    const bool off = value.is(Type::boolean) && !value.as_boolean();
    const bool zero = value.is(Type::number) && value.as_number() == 0;
    // The length of a list of layers also gives their number.
    const bool counted = key == "num_hidden_layers" && level.object->find("layer_types") != nullptr;
    if (off || zero || counted || lists(kRepeated, model, key)) continue;
    const ConfigValue without = with(*level.object, i, nullptr);
    CHECK(described(read_config(with_level(root, level, without))) != before);
  }
}

const std::set<std::string> kNames = {"model_type", "architectures", "_name_or_path", "auto_map"};

/// Every name of a model or class replaced, at every level.
ConfigValue renamed(const ConfigValue& value) {
  if (!value.is(Type::object)) return value;
  ConfigValue copy = ConfigValue::object();
  for (std::size_t i = 0; i < value.keys().size(); i++) {
    const bool name = kNames.contains(value.keys()[i]);
    copy.add(value.keys()[i], name ? ConfigValue("nonsense") : renamed(value.values()[i]));
  }
  return copy;
}

}  // namespace

TEST_CASE("config: changing any key that counts changes the result or refuses the file") {
  for (const std::string& model : model_names()) {
    if (std::holds_alternative<ModelCache>(read_config(model_config(model)))) {
      check_mutations(model);
    }
  }
}

TEST_CASE("config: the names of models and classes only supply missing values") {
  for (const std::string& model : model_names()) {
    // These files have a window or chunk but no list of the layers with it.
    if (model == "mistral-7b-v0.1" || model == "llama-4-scout") continue;
    INFO(model);
    const ConfigValue config = model_config(model);
    CHECK(described(read_config(renamed(config))) == described(read_config(config)));
  }
}

TEST_CASE("config: the order of keys does not matter") {
  for (const std::string& model : model_names()) {
    INFO(model);
    const ConfigValue config = model_config(model);
    ConfigValue reversed = ConfigValue::object();
    for (std::size_t i = config.keys().size(); i-- > 0;) {
      reversed.add(config.keys()[i], config.values()[i]);
    }
    CHECK(described(read_config(reversed)) == described(read_config(config)));
  }
}

#include "core/gguf_header.h"

#include <array>
#include <cstdint>
#include <string>
#include <utility>

#include "core/bits.h"
#include "core/config_defaults.h"

namespace attn {
namespace {

enum class Type : std::uint32_t {
  uint8,
  int8,
  uint16,
  int16,
  uint32,
  int32,
  float32,
  boolean,
  string,
  array,
  uint64,
  int64,
  float64
};

// Published headers have about fifty.
constexpr std::uint64_t kMostKeys = 1000;

struct EndOfBytes {};

class Bytes {
 public:
  explicit Bytes(std::string_view bytes) : bytes_(bytes) {}

  /// A little-endian number of `size` bytes.
  std::uint64_t number(std::size_t size) {
    const std::string_view part = take(size);
    std::uint64_t value = 0;
    for (std::size_t i = size; i-- > 0;) {
      value = value << 8 | static_cast<unsigned char>(part[i]);
    }
    return value;
  }

  std::string_view take(std::uint64_t size) {
    if (size > bytes_.size()) throw EndOfBytes{};
    const std::string_view part = bytes_.substr(0, static_cast<std::size_t>(size));
    bytes_.remove_prefix(static_cast<std::size_t>(size));
    return part;
  }

 private:
  std::string_view bytes_;
};

ConfigValue signed_value(std::uint64_t raw, unsigned bits) {
  const unsigned unused = 64 - bits;
  return ConfigValue(static_cast<double>(static_cast<std::int64_t>(raw << unused) >> unused));
}

ConfigValue value_of(Bytes& bytes, Type type, int level) {
  switch (type) {
    case Type::uint8:
      return ConfigValue(static_cast<double>(bytes.number(1)));
    case Type::int8:
      return signed_value(bytes.number(1), 8);
    case Type::uint16:
      return ConfigValue(static_cast<double>(bytes.number(2)));
    case Type::int16:
      return signed_value(bytes.number(2), 16);
    case Type::uint32:
      return ConfigValue(static_cast<double>(bytes.number(4)));
    case Type::int32:
      return signed_value(bytes.number(4), 32);
    case Type::float32:
      return ConfigValue(
          static_cast<double>(bit_cast<float>(static_cast<std::uint32_t>(bytes.number(4)))));
    case Type::boolean:
      return ConfigValue(bytes.number(1) != 0);
    case Type::string:
      return ConfigValue(std::string(bytes.take(bytes.number(8))));
    case Type::uint64:
      return ConfigValue(static_cast<double>(bytes.number(8)));
    case Type::int64:
      return signed_value(bytes.number(8), 64);
    case Type::float64:
      return ConfigValue(bit_cast<double>(bytes.number(8)));
    case Type::array: {
      const Type item = static_cast<Type>(bytes.number(4));
      const std::uint64_t count = bytes.number(8);
      // The specification allows lists of lists; no published header has them.
      if (level > 1) throw EndOfBytes{};
      ConfigValue list = ConfigValue::list();
      for (std::uint64_t i = 0; i < count; i++) list.add(value_of(bytes, item, level + 1));
      return list;
    }
  }
  throw EndOfBytes{};
}

struct Key {
  std::string_view gguf;  // behind the architecture's name
  const char* config;
};

constexpr std::array kKeys = {
    Key{"block_count", "num_hidden_layers"},
    Key{"embedding_length", "hidden_size"},
    Key{"feed_forward_length", "intermediate_size"},
    Key{"context_length", "max_position_embeddings"},
    Key{"vocab_size", "vocab_size"},
    Key{"attention.head_count", "num_attention_heads"},
    Key{"attention.head_count_kv", "num_key_value_heads"},
    Key{"attention.key_length", "head_dim"},
    Key{"attention.value_length", "v_head_dim"},
    Key{"attention.sliding_window", "sliding_window"},
    Key{"attention.kv_lora_rank", "kv_lora_rank"},
    Key{"rope.dimension_count", "qk_rope_head_dim"},
};

/// The interval of layers without the window, for architectures for which llama.cpp derives it from
/// the name; 0 for others.
int full_layer_interval(std::string_view architecture) {
  constexpr std::array kIntervals = {
      std::pair{"gemma2", 2},  std::pair{"gemma3", 6},  std::pair{"gemma3n", 5},
      std::pair{"gpt-oss", 2}, std::pair{"cohere2", 4}, std::pair{"olmo2", 4},
  };
  for (const auto& [name, interval] : kIntervals) {
    if (architecture == name) return interval;
  }
  return 0;
}

/// Whether llama.cpp keeps something else than keys and values, or latent vectors, for the model.
bool is_state_key(std::string_view key) {
  return key.starts_with("ssm.") || key.starts_with("wkv.") || key.starts_with("shortconv.");
}

ConfigValue translated(const ConfigValue& header, const std::string& architecture) {
  ConfigValue config = ConfigValue::object();
  // No class supplies sizes here: one architecture stands for models of many classes.
  if (is_encoder_class(architecture) || is_state_class(architecture)) {
    config.add("model_type", ConfigValue(architecture));
  }
  const int interval = full_layer_interval(architecture);
  if (interval > 0 && header.find(architecture + ".attention.sliding_window") != nullptr) {
    config.add("sliding_window_pattern", ConfigValue(static_cast<double>(interval)));
  }
  config.add("torch_dtype", ConfigValue("float16"));  // llama.cpp's default for the cache
  const std::string prefix = architecture + ".";
  const bool latent = header.find(prefix + "attention.kv_lora_rank") != nullptr;
  for (const Key& key : kKeys) {
    const ConfigValue* value = header.find(prefix + std::string(key.gguf));
    const std::string_view name = key.config;
    if (value == nullptr || (!latent && name == "qk_rope_head_dim")) continue;
    if (latent && (name == "head_dim" || name == "v_head_dim")) continue;
    // Query heads by layer stand under a name of their own.
    const bool by_layer = name == "num_attention_heads" && value->is(ConfigValue::Type::list);
    config.add(by_layer ? "num_query_heads" : std::string(name), *value);
  }
  for (const std::string& key : header.keys()) {
    if (!key.starts_with(prefix)) continue;
    const std::string_view rest = std::string_view(key).substr(prefix.size());
    // These carry names that the reader refuses as layers which keep something else.
    if (is_state_key(rest)) config.add(key, *header.find(key));
  }
  return config;
}

}  // namespace

std::optional<ConfigValue> gguf_config(std::string_view bytes) {
  if (!bytes.starts_with("GGUF")) return std::nullopt;
  ConfigValue header = ConfigValue::object();
  std::string architecture;
  try {
    Bytes rest(bytes.substr(4));
    const std::uint64_t version = rest.number(4);
    if (version < 2 || version > 3) return translated(header, "");
    rest.number(8);  // tensors
    const std::uint64_t keys = rest.number(8);
    for (std::uint64_t i = 0; i < keys && i < kMostKeys; i++) {
      const std::string key(rest.take(rest.number(8)));
      const Type type = static_cast<Type>(rest.number(4));
      ConfigValue value = value_of(rest, type, 0);
      if (key == "general.architecture" && value.is(ConfigValue::Type::string)) {
        architecture = value.as_string();
      }
      if (header.find(key) == nullptr) header.add(key, std::move(value));
      // The vocabulary begins here; the sizes come before it.
      if (key.starts_with("tokenizer.")) break;
    }
  } catch (const EndOfBytes&) {
    // The sizes that were read are kept.
  }
  return translated(header, architecture);
}

}  // namespace attn

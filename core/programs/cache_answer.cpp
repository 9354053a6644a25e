#include "core/programs/cache_answer.h"

#include <charconv>
#include <filesystem>
#include <stdexcept>
#include <utility>

#include "core/check.h"
#include "core/config_format.h"
#include "core/gguf_header.h"
#include "core/programs/json_config.h"
#include "core/programs/text_file.h"

namespace attn {
namespace {

constexpr double kGib = 1024.0 * 1024.0 * 1024.0;

/// The config inside a file of lessons/models, or the whole file.
ConfigValue unwrapped(ConfigValue whole) {
  const bool model_file = whole.find("model") != nullptr && whole.find("origin") != nullptr;
  const ConfigValue* inner = model_file ? whole.find("config") : nullptr;
  return inner == nullptr ? whole : *inner;
}

ConfigValue read_json(const std::string& path) {
  std::error_code none;
  const std::uintmax_t size = std::filesystem::file_size(path, none);
  if (!none && size > kLargestFile) {
    throw Refusal{Reason::file_too_large, "", std::to_string(size), "",
                  std::to_string(kLargestFile)};
  }
  try {
    return parse_config(decoded_text(read_text_file(path, kLargestFile + 1)));
  } catch (const ConfigTextError& error) {
    throw error.refusal;
  }
}

/// A description of quantisation in a file of its own, as exporters write it beside the config.
bool is_quantisation_file(const ConfigValue& value) {
  return value.find("quantization") != nullptr && value.find("producer") != nullptr;
}

struct ReadFile {
  ConfigValue config;
  std::string beside;
};

ReadFile read_config_file(const std::string& path) {
  namespace fs = std::filesystem;
  if (const auto header = gguf_config(read_text_file(path, kLargestGgufHeader)))
    return {*header, ""};
  ConfigValue config = unwrapped(read_json(path));
  const fs::path folder = fs::path(path).parent_path();
  if (is_quantisation_file(config)) {
    ConfigValue quantisation = *config.find("quantization");
    ConfigValue beside = read_json((folder / "config.json").string());
    beside.add("quantization", std::move(quantisation));
    return {std::move(beside), path};
  }
  const fs::path other = folder / "hf_quant_config.json";
  std::error_code none;
  if (!config.is(ConfigValue::Type::object) || !fs::exists(other, none) ||
      config.find("quantization") != nullptr) {
    return {std::move(config), ""};
  }
  const ConfigValue quantisation = read_json(other.string());
  if (!is_quantisation_file(quantisation)) return {std::move(config), ""};
  config.add("quantization", *quantisation.find("quantization"));
  return {std::move(config), other.string()};
}

/// "15.5GiB" in bytes; nothing for a name without a number.
std::optional<std::int64_t> stated_size(const std::string& text) {
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || std::string_view(end) != "GiB" || !(number > 0 && number < 1e6)) {
    return std::nullopt;
  }
  return static_cast<std::int64_t>(number * kGib);
}

std::int64_t weights_of(const CacheOptions& options, const ConfigValue& config,
                        CacheAnswer& answer) {
  if (options.weights.empty()) return 0;
  if (const auto size = stated_size(options.weights)) return *size;
  const auto format = named_format(options.weights);
  if (!format)
    refuse("--weights", value_format_names() + ", or a size as in 15.5GiB", options.weights);
  const auto count = count_parameters(config, answer.model.layout);
  if (!count) {
    refuse("--weights", "a size as in 15.5GiB, since this config does not give the parameters",
           options.weights);
  }
  answer.parameters = *count;
  return weight_bytes(*count, *format);
}

}  // namespace

std::optional<ValueFormat> named_format(const std::string& name) {
  if (const auto bits = float_bits(name)) return ValueFormat{.bits = *bits};
  if (name == "8-bit") return ValueFormat{.bits = 8};
  if (name == "4-bit") return ValueFormat{.bits = 4};
  return value_format(name);
}

CacheAnswer answer(const CacheOptions& options) {
  ReadFile file = read_config_file(options.file);
  auto result = read_config(file.config, options.ignored);
  if (const auto* refusal = std::get_if<Refusal>(&result)) throw *refusal;
  CacheAnswer answer;
  answer.model = std::get<ModelCache>(std::move(result));
  answer.quantisation_file = std::move(file.beside);
  ModelCache& model = answer.model;
  const bool other_format = !options.dtype.empty();
  if (other_format) {
    model.dtype = options.dtype;
    model.format = *named_format(options.dtype);
    // The file's own choice of format no longer stands for comparison.
    std::erase_if(model.variants, [](const CacheVariant& variant) {
      return variant.code == "cache_in_model_dtype";
    });
  }
  CacheQuery query{options.context, options.batch, model.format, options.source};
  answer.bytes = cache_bytes(model.layout, query);
  for (const CacheVariant& variant : model.variants) {
    CacheQuery other = query;
    if (!other_format) other.format = variant.format;
    answer.variants.push_back(cache_bytes(variant.layout, other));
  }
  ServingRequest request{.cards = options.cards,
                         .memory = options.memory_gib * kGib,
                         .prefix = options.prefix,
                         .engine = *named<Engine>(options.engine),
                         .format = options.dtype};
  if (options.memory_gib > 0) request.weights = weights_of(options, file.config, answer);
  answer.plan = plan_serving(model.layout, query, request);
  return answer;
}

}  // namespace attn

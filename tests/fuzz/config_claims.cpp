#include "tests/fuzz/config_claims.h"

#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <optional>
#include <stdexcept>
#include <string>
#include <variant>
#include <vector>

#include "core/config_reader.h"
#include "core/kv_cache.h"
#include "core/programs/json_config.h"

namespace attn {
namespace {

void require(bool holds, const char* claim) {
  if (!holds) throw std::logic_error(claim);
}

/// Nothing where the size is beyond 2⁶³ − 1 and was refused.
std::optional<CacheBytes> sized(const CacheLayout& layout, std::int64_t context,
                                const ValueFormat& format) {
  try {
    return cache_bytes(layout, {.context = context, .batch = 3, .format = format});
  } catch (const std::invalid_argument& error) {
    const std::string sentence = error.what();
    require(sentence.ends_with("expected at most 9223372036854775807 bytes, got more"),
            "a layout that was read is refused for its size only");
    return std::nullopt;
  }
}

void check_sizes(const CacheLayout& layout, const ValueFormat& format) {
  std::int64_t before = 0;
  bool refused = false;
  for (const std::int64_t context :
       {std::int64_t{0}, std::int64_t{1}, std::int64_t{127}, std::int64_t{128}, std::int64_t{8192},
        std::int64_t{1} << 40, std::numeric_limits<std::int64_t>::max()}) {
    const auto bytes = sized(layout, context, format);
    if (!bytes) {
      refused = true;
      continue;
    }
    require(!refused, "a longer context is not smaller");
    require(bytes->total >= before, "the cache never shrinks");
    require(bytes->growing_per_token >= 0, "a token never frees memory");
    require(bytes->growing_per_token <= bytes->within_window_per_token, "full windows do not grow");
    std::int64_t sum = 0;
    for (const KindBytes& kind : bytes->kinds) sum += kind.total;
    require(sum == bytes->total, "kinds add up to the total");
    before = bytes->total;
  }
}

bool has_source(const ModelCache& cache, std::size_t kind, const char* field) {
  return std::any_of(cache.sources.begin(), cache.sources.end(), [&](const FieldSource& source) {
    return source.kind == kind && source.field == field && !source.path.empty();
  });
}

void check_layout(const ModelCache& cache) {
  require(!cache.layout.empty(), "a layout has layers");
  for (std::size_t i = 0; i < cache.layout.size(); i++) {
    const LayerKind& kind = cache.layout[i];
    require(kind.layers > 0, "a kind has layers");
    require(kind.layers <= cache.n_layers * cache.passes, "no layer is counted twice");
    require(has_source(cache, i, "layers"), "a count of layers has a source");
    require(kind.k_width == 0 || has_source(cache, i, "k_width"), "a key width has a source");
    require(kind.v_width == 0 || has_source(cache, i, "v_width"), "a value width has a source");
    require(kind.window == 0 || has_source(cache, i, "window"), "a window has a source");
    require(kind.state_bytes == 0 || has_source(cache, i, "state_bytes"), "a state has a source");
    require(kind.heads == 0 || kind.kind == CacheKind::latent || kind.kind == CacheKind::index ||
                has_source(cache, i, "heads"),
            "a number of heads has a source");
  }
  require(cache.layer_kinds.empty() ||
              static_cast<std::int64_t>(cache.layer_kinds.size()) == cache.n_layers,
          "every layer has its place");
  for (const std::size_t kind : cache.layer_kinds) {
    require(kind < cache.layout.size(), "a layer's kind is in the layout");
  }
  const bool format_assumed =
      std::any_of(cache.assumed.begin(), cache.assumed.end(),
                  [](const Assumption& assumption) { return assumption.code == "dtype_bfloat16"; });
  require(!cache.dtype_path.empty() || format_assumed, "the number format has a source");
}

void check_refusal(const Refusal& refusal) {
  require(!reason_text(refusal).empty(), "a refusal has a reason");
  require(reason_text(refusal).find('{') == std::string::npos ||
              refusal.value.find('{') != std::string::npos ||
              refusal.field.find('{') != std::string::npos ||
              refusal.detail.find('{') != std::string::npos,
          "every place of a sentence is filled");
  require(!refusal.field.empty() || refusal.reason == Reason::config_not_object,
          "a refusal names the field, unless the whole file is no object");
}

void check_doubts(const ConfigValue& config, const ModelCache& cache) {
  std::vector<std::string> fields;
  for (const Doubt& doubt : cache.doubts) {
    require(!doubt.field.empty() && !doubt.value.empty(), "a doubt names its key and value");
    fields.push_back(doubt.field);
  }
  if (fields.empty()) return;
  const auto without = read_config(config, fields);
  const auto* same = std::get_if<ModelCache>(&without);
  require(same != nullptr, "a config is readable without what is doubted");
  for (const Doubt& doubt : same->doubts) {
    require(std::find(fields.begin(), fields.end(), doubt.field) == fields.end(),
            "an ignored key leaves no doubt");
  }
  require(same->layout == cache.layout, "a doubted key does not count");
}

}  // namespace

void check_claims(std::string_view text) {
  ConfigValue config;
  try {
    config = parse_config(text);
  } catch (const std::invalid_argument& error) {
    require(error.what()[0] != '\0', "a text that is no JSON is refused with a reason");
    return;
  }
  const auto result = read_config(config);
  if (const auto* refusal = std::get_if<Refusal>(&result)) {
    check_refusal(*refusal);
    return;
  }
  const auto& cache = std::get<ModelCache>(result);
  check_layout(cache);
  check_doubts(config, cache);
  check_sizes(cache.layout, cache.format);
  for (const CacheVariant& variant : cache.variants) check_sizes(variant.layout, variant.format);
}

}  // namespace attn

#include "core/config_patterns.h"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

namespace attn {

LayerRole PatternReader::role_of(std::span<const Word> words, std::string_view word,
                                 const KeyPath& key) const {
  for (const Word& known : words) {
    if (known.word == word) return known.role;
  }
  std::string all;
  for (const Word& known : words) all.append(all.empty() ? "" : ", ").append(known.word);
  refuse_config(Reason::unknown_layer, key, Detail::quoted(word), {}, std::move(all));
}

/// Opens an account in which every layer has `role`, for the caller to change.
std::vector<LayerRole>& PatternReader::account(const KeyPath& key, Distinguishes distinguishes,
                                               LayerRole role) {
  accounts_.push_back({key, distinguishes, std::vector<LayerRole>(n_layers_, role)});
  return accounts_.back().roles;
}

PatternAccount PatternReader::every_full(const Count& interval, Distinguishes distinguishes,
                                         LayerRole role) const {
  PatternAccount result = {interval.key, distinguishes, std::vector<LayerRole>(n_layers_, role)};
  const auto group = static_cast<std::uint64_t>(interval.value);
  for (std::size_t i = 0; i < n_layers_; i++) {
    if ((i + 1) % group == 0) result.roles[i] = LayerRole::full;
  }
  return result;
}

/// A flag for each layer: `set` where it is 1, full where it is 0.
void PatternReader::flagged(const Field<std::vector<std::int64_t>>& flags, LayerRole set) {
  require_length(flags.key, flags.value.size(), n_layers_);
  auto& roles = account(flags.key, Distinguishes::windows, LayerRole::full);
  for (std::size_t i = 0; i < n_layers_; i++) {
    if (flags.value[i] == 1) roles[i] = set;
  }
}

/// A letter for each layer, over again where the letters end.
void PatternReader::lettered(std::span<const Word> letters, std::string_view text,
                             const KeyPath& key, Distinguishes distinguishes) {
  auto& roles = account(key, distinguishes, LayerRole::none);
  for (std::size_t i = 0; i < n_layers_; i++) {
    roles[i] = role_of(letters, text.substr(i % text.size(), 1), key);
  }
}

void PatternReader::read_layer_words() {
  // In models of lightning attention, "linear_attention" means that.
  const bool lightning =
      fields_.has("linear_attn_alpha_factor") || fields_.has("layernorm_linear_attention_beta");
  const std::array words = {
      Word{"full_attention", LayerRole::full},
      Word{"attention", LayerRole::full},
      Word{"deepseek_sparse_attention", LayerRole::full},
      Word{"global", LayerRole::full},
      Word{"sliding_attention", LayerRole::window},
      Word{"local", LayerRole::window},
      Word{"chunked_attention", LayerRole::chunk},
      Word{"linear_attention", lightning ? LayerRole::lightning : LayerRole::linear},
      Word{"mamba", LayerRole::mamba},
      Word{"mamba2", LayerRole::mamba},
      Word{"hybrid", LayerRole::parallel},
      Word{"conv", LayerRole::convolution},
      Word{"mlp", LayerRole::none},
      Word{"moe", LayerRole::none},
  };
  const auto list = fields_.words("layer_types layers_block_type");
  if (!list) return;
  require_length(list->key, list->value.size(), n_layers_);
  // Plain "attention" does not say whether the layer has the window, if there is one.
  const auto is = [&](std::string_view word) {
    return std::find(list->value.begin(), list->value.end(), word) != list->value.end();
  };
  doubled_ = is("hybrid");
  const Distinguishes distinguishes =
      is("attention") || doubled_ ? Distinguishes::attention_only : Distinguishes::windows;
  auto& roles = account(list->key, distinguishes, LayerRole::none);
  for (std::size_t i = 0; i < n_layers_; i++) {
    roles[i] = role_of(words, list->value[i], list->key);
  }
}

/// Griffin's list of blocks, over again where it ends; its attention has the window.
void PatternReader::read_block_types() {
  constexpr std::array kBlocks = {Word{"recurrent", LayerRole::recurrent},
                                  Word{"attention", LayerRole::window}};
  const auto list = fields_.words("block_types _block_types");
  if (!list || list->value.empty()) return;
  auto& roles = account(list->key, Distinguishes::windows, LayerRole::none);
  for (std::size_t i = 0; i < n_layers_; i++) {
    roles[i] = role_of(kBlocks, list->value[i % list->value.size()], list->key);
  }
}

/// GPT-Neo's pairs of a list of words and how often it is repeated.
void PatternReader::read_attention_types() {
  constexpr std::array kTypes = {Word{"global", LayerRole::full}, Word{"local", LayerRole::window}};
  const auto pairs = fields_.value("attention_types", ConfigValue::Type::list);
  // The class's default for the list of words does not count beside stated pairs.
  const bool listed = !pairs || fields_.has("attention_layers");
  if (const auto words = listed ? fields_.words("attention_layers") : std::nullopt) {
    require_length(words->key, words->value.size(), n_layers_);
    auto& roles = account(words->key, Distinguishes::windows, LayerRole::none);
    for (std::size_t i = 0; i < n_layers_; i++) {
      roles[i] = role_of(kTypes, words->value[i], words->key);
    }
  }
  if (!pairs) return;
  std::vector<LayerRole> roles;
  for (const ConfigValue& pair : pairs->value->values()) {
    const bool whole = pair.is(ConfigValue::Type::list) && pair.values().size() == 2 &&
                       pair.values()[0].is(ConfigValue::Type::list);
    if (!whole) refuse_config(Reason::not_list, pairs->key, pair);
    const auto most = static_cast<std::int64_t>(n_layers_);
    const std::int64_t times = count_from(pair.values()[1], pairs->key, 0, most);
    for (std::int64_t i = 0; i < times && roles.size() <= n_layers_; i++) {
      for (const ConfigValue& word : pair.values()[0].values()) {
        roles.push_back(role_of(kTypes, word.as_string(), pairs->key));
      }
    }
  }
  require_length(pairs->key, roles.size(), n_layers_);
  account(pairs->key, Distinguishes::windows, LayerRole::none) = std::move(roles);
}

void PatternReader::read_flags() {
  constexpr std::array kLetters = {
      Word{"*", LayerRole::full},
      Word{"M", LayerRole::mamba},
      Word{"-", LayerRole::none},
      Word{"E", LayerRole::none},
  };
  if (const auto flags = fields_.counts("hybrid_layer_pattern", 0, 1)) {
    flagged(*flags, LayerRole::window);
  }
  if (const auto softmax = fields_.counts("attn_type_list", 0, 1)) {
    require_length(softmax->key, softmax->value.size(), n_layers_);
    auto& roles = account(softmax->key, Distinguishes::attention_only, LayerRole::full);
    for (std::size_t i = 0; i < n_layers_; i++) {
      if (softmax->value[i] == 0) roles[i] = LayerRole::lightning;
    }
  }
  if (const auto letters = fields_.word("hybrid_override_pattern")) {
    require_length(letters->key, letters->value.size(), n_layers_);
    lettered(kLetters, letters->value, letters->key, Distinguishes::attention_only);
  }
}

void PatternReader::read_indices(std::string_view name, LayerRole listed, LayerRole other) {
  const auto last = static_cast<std::int64_t>(n_layers_) - 1;
  const auto indices = fields_.counts(name, 0, last);
  if (!indices) return;
  auto& roles = account(indices->key, Distinguishes::attention_only, other);
  for (const std::int64_t index : indices->value) {
    roles[static_cast<std::size_t>(index)] = listed;
  }
}

/// Kimi's object: layers counted from 1, by kind.
void PatternReader::read_linear_group() {
  const auto group = fields_.value("linear_attn_config", ConfigValue::Type::object);
  if (!group) return;
  ConfigFields inner = fields_.inner(*group);
  const auto layers = static_cast<std::int64_t>(n_layers_);
  const auto delta = inner.counts("kda_layers", 1, layers);
  const auto full = inner.counts("full_attn_layers", 1, layers);
  if (!delta || !full) {
    refuse_config(Reason::not_stated, inner.key(delta ? "full_attn_layers" : "kda_layers"));
  }
  auto& roles = account(group->key, Distinguishes::attention_only, LayerRole::none);
  for (const std::int64_t index : delta->value) {
    roles[static_cast<std::size_t>(index - 1)] = LayerRole::delta;
  }
  for (const std::int64_t index : full->value) {
    roles[static_cast<std::size_t>(index - 1)] = LayerRole::full;
  }
  const auto named = std::count(roles.begin(), roles.end(), LayerRole::none);
  if (named > 0) {
    refuse_config(Reason::list_length, group->key, layers - named, {}, layers);
  }
}

void PatternReader::read_intervals() {
  if (const auto interval = fields_.count("full_attention_interval")) {
    accounts_.push_back(every_full(*interval, Distinguishes::attention_only, LayerRole::linear));
  }
  if (const auto group = fields_.count("layer_group_size")) {
    // Bailing V2.5 has lightning attention between the full layers; V3 has Kimi's delta rule, whose
    // short convolution it states.
    const bool delta = fields_.has("short_conv_kernel_size");
    PatternAccount found = every_full(*group, Distinguishes::attention_only,
                                      delta ? LayerRole::delta : LayerRole::lightning);
    // Layers behind the last whole group are full.
    const auto size = static_cast<std::uint64_t>(group->value);
    const std::size_t whole = n_layers_ - n_layers_ % size;
    for (std::size_t i = whole; i < n_layers_; i++) found.roles[i] = LayerRole::full;
    if (group->value > 1) accounts_.push_back(std::move(found));
  }
  const auto offset = fields_.count("attn_layer_offset", 0);
  const auto period = fields_.count("attn_layer_period");
  if (offset.has_value() != period.has_value()) {
    const Count& cause = offset ? *offset : *period;
    refuse_needed(fields_.key(offset ? "attn_layer_period" : "attn_layer_offset"), cause.key,
                  cause.value);
  }
  // A list of words is more exact than a period, and older files of Zamba have both.
  if (!period || doubled_) return;
  auto& roles = account(period->key, Distinguishes::attention_only, LayerRole::mamba);
  for (std::size_t i = 0; i < n_layers_; i++) {
    const auto layer = static_cast<std::int64_t>(i);
    if (layer % period->value == offset->value) roles[i] = LayerRole::full;
  }
}

void PatternReader::read_window_patterns() {
  constexpr std::array kWindowLetters = {Word{"L", LayerRole::window}, Word{"G", LayerRole::full}};
  const auto pattern =
      fields_.stated("sliding_window_pattern _sliding_window_pattern layer_switch");
  const auto order = fields_.word("order_of_interleaved_layers");
  if (order && order->value != "local_attn_first") {
    refuse_config(Reason::unknown_word, order->key, Detail::quoted(order->value), {},
                  "local_attn_first");
  }
  const auto first = fields_.count("max_window_layers", 0);
  const auto& use = sizes_.use_window;
  if (use && !use->value) return;
  if (pattern && pattern->value->is(ConfigValue::Type::string)) {
    const std::string& text = pattern->value->as_string();
    if (text.empty()) refuse_config(Reason::unknown_word, pattern->key, "\"\"", {}, "L, G");
    lettered(kWindowLetters, text, pattern->key, Distinguishes::windows);
  } else if (pattern) {
    accounts_.push_back(every_full({count_from(*pattern->value, pattern->key), pattern->key},
                                   Distinguishes::windows, LayerRole::window));
  }
  if (!first || !sizes_.window) return;
  // Versions of this class disagree on the layers that have the window.
  if (fields_.class_name() == "qwen2_moe") return;
  if (!use) {
    refuse_needed(fields_.key("use_sliding_window"), first->key, first->value);
  }
  // A list of layers is more exact than the number of layers before the windows.
  if (fields_.has("layer_types")) return;
  auto& roles = account(first->key, Distinguishes::windows, LayerRole::full);
  for (std::size_t i = 0; i < n_layers_; i++) {
    if (static_cast<std::int64_t>(i) >= first->value) roles[i] = LayerRole::window;
  }
}

void PatternReader::read_chunk_pattern() {
  const auto rotated = fields_.counts("no_rope_layers", 0, 1);
  const auto interval = fields_.count("no_rope_layer_interval");
  if (!sizes_.chunk) return;
  if (rotated && !rotated->value.empty()) {
    flagged(*rotated, LayerRole::chunk);
  } else if (interval) {
    accounts_.push_back(every_full(*interval, Distinguishes::windows, LayerRole::chunk));
  }
}

/// Falcon-H1: `mamba_d_ssm` sizes the state space that runs beside attention in every layer.
void PatternReader::read_parallel() {
  if (!accounts_.empty()) return;
  const ConfigValue* beside = fields_.find("mamba_d_ssm");
  if (beside == nullptr || sets_nothing(*beside)) return;
  account(fields_.key("mamba_d_ssm"), Distinguishes::attention_only, LayerRole::parallel);
}

std::vector<PatternAccount> PatternReader::read() {
  read_layer_words();
  read_block_types();
  read_attention_types();
  read_flags();
  read_indices("attn_layer_indices", LayerRole::full, LayerRole::mamba);
  read_indices("full_attn_idxs", LayerRole::full, LayerRole::convolution);
  read_indices("cross_attention_layers", LayerRole::cross, LayerRole::full);
  read_linear_group();
  read_intervals();
  read_window_patterns();
  read_chunk_pattern();
  read_parallel();
  return std::move(accounts_);
}

}  // namespace attn

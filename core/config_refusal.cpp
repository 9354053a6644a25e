#include "core/config_refusal.h"

#include <array>

namespace attn {
namespace {

struct Row {
  Reason reason;
  std::string_view name;
  RefusalCode code;
};

constexpr std::array<std::string_view, 8> kCodeNames = {"no_cache",      "unknown_kind", "missing",
                                                        "contradiction", "type",         "range",
                                                        "not_json",      "too_large"};

constexpr std::array<Row, kReasons> kRows = {{
    {Reason::both_ways, "both_ways", RefusalCode::no_cache},
    {Reason::encoder_only, "encoder_only", RefusalCode::no_cache},
    {Reason::state_only, "state_only", RefusalCode::no_cache},
    {Reason::unsized_state_only, "unsized_state_only", RefusalCode::no_cache},
    {Reason::not_stated, "not_stated", RefusalCode::missing},
    {Reason::no_head_width, "no_head_width", RefusalCode::missing},
    {Reason::needed_by, "needed_by", RefusalCode::missing},
    {Reason::no_window_pattern, "no_window_pattern", RefusalCode::missing},
    {Reason::two_language_models, "two_language_models", RefusalCode::contradiction},
    {Reason::two_values, "two_values", RefusalCode::contradiction},
    {Reason::one_head_and_several, "one_head_and_several", RefusalCode::contradiction},
    {Reason::list_length, "list_length", RefusalCode::contradiction},
    {Reason::other_layers, "other_layers", RefusalCode::contradiction},
    {Reason::counts_disagree, "counts_disagree", RefusalCode::contradiction},
    {Reason::counts_do_not_add_up, "counts_do_not_add_up", RefusalCode::contradiction},
    {Reason::described_twice, "described_twice", RefusalCode::contradiction},
    {Reason::only_with, "only_with", RefusalCode::contradiction},
    {Reason::window_or_chunk, "window_or_chunk", RefusalCode::contradiction},
    {Reason::repeated_key, "repeated_key", RefusalCode::contradiction},
    {Reason::config_not_object, "config_not_object", RefusalCode::type},
    {Reason::not_boolean, "not_boolean", RefusalCode::type},
    {Reason::not_number, "not_number", RefusalCode::type},
    {Reason::not_text, "not_text", RefusalCode::type},
    {Reason::not_list, "not_list", RefusalCode::type},
    {Reason::not_object, "not_object", RefusalCode::type},
    {Reason::not_a_count, "not_a_count", RefusalCode::range},
    {Reason::not_in_range, "not_in_range", RefusalCode::range},
    {Reason::not_divisible, "not_divisible", RefusalCode::range},
    {Reason::not_a_divisor, "not_a_divisor", RefusalCode::range},
    {Reason::not_shared_evenly, "not_shared_evenly", RefusalCode::range},
    {Reason::too_many_bytes, "too_many_bytes", RefusalCode::too_large},
    {Reason::unknown_layer, "unknown_layer", RefusalCode::unknown_kind},
    {Reason::unknown_word, "unknown_word", RefusalCode::unknown_kind},
    {Reason::unknown_state_key, "unknown_state_key", RefusalCode::unknown_kind},
    {Reason::unknown_block_key, "unknown_block_key", RefusalCode::unknown_kind},
    {Reason::compressed, "compressed", RefusalCode::unknown_kind},
    {Reason::own_quantisation, "own_quantisation", RefusalCode::unknown_kind},
    {Reason::latent_window, "latent_window", RefusalCode::unknown_kind},
    {Reason::unsized_linear, "unsized_linear", RefusalCode::unknown_kind},
    {Reason::encoder_decoder, "encoder_decoder", RefusalCode::unknown_kind},
    {Reason::uncounted, "uncounted", RefusalCode::unknown_kind},
    {Reason::syntax, "syntax", RefusalCode::not_json},
    {Reason::cut_off, "cut_off", RefusalCode::not_json},
    {Reason::nested_too_deep, "nested_too_deep", RefusalCode::too_large},
    {Reason::file_too_large, "file_too_large", RefusalCode::too_large},
    {Reason::unreadable, "unreadable", RefusalCode::missing},
    {Reason::bytes_too_large, "bytes_too_large", RefusalCode::too_large},
}};

constexpr bool in_order() {
  for (std::size_t i = 0; i < kRows.size(); i++) {
    if (static_cast<std::size_t>(kRows[i].reason) != i) return false;
  }
  return true;
}
static_assert(in_order());

}  // namespace

std::string_view name(RefusalCode code) { return kCodeNames[static_cast<std::size_t>(code)]; }

std::string_view name(Reason reason) { return kRows[static_cast<std::size_t>(reason)].name; }

RefusalCode code_of(Reason reason) { return kRows[static_cast<std::size_t>(reason)].code; }

std::string filled(std::string_view text, const Refusal& refusal) {
  std::string result;
  while (!text.empty()) {
    const std::size_t open = text.find('{');
    result.append(text.substr(0, open));
    if (open == std::string_view::npos) break;
    const std::size_t close = text.find('}', open);
    const std::string_view place = text.substr(open + 1, close - open - 1);
    if (place == "field") result.append(refusal.field);
    if (place == "value") result.append(refusal.value);
    if (place == "other") result.append(refusal.other);
    if (place == "detail") result.append(refusal.detail);
    text.remove_prefix(close + 1);
  }
  return result;
}

}  // namespace attn

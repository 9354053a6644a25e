// Why a config, or a question about it, is refused: a code, a reason and the values concerned.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace attn {

/// Stable codes for programs. Each reason has one.
enum class RefusalCode {
  no_cache,       // the model keeps no keys and values
  unknown_kind,   // it keeps something that is not modelled
  missing,        // a field that the cache depends on
  contradiction,  // two statements that exclude each other
  type,           // text where a number belongs, …
  range,          // a number that the field cannot have
  not_json,
  too_large,  // a file, its nesting or a result beyond what is read or counted
};

/// Names of reasons are stable too: translations are found by them.
enum class Reason {
  both_ways,
  encoder_only,
  state_only,
  unsized_state_only,
  not_stated,
  no_head_width,
  needed_by,
  no_window_pattern,
  two_language_models,
  two_values,
  one_head_and_several,
  list_length,
  other_layers,
  counts_disagree,
  counts_do_not_add_up,
  described_twice,
  only_with,
  window_or_chunk,
  repeated_key,
  config_not_object,
  not_boolean,
  not_number,
  not_text,
  not_list,
  not_object,
  not_a_count,
  not_in_range,
  not_divisible,
  not_a_divisor,
  not_shared_evenly,
  too_many_bytes,
  unknown_layer,
  unknown_word,
  unknown_state_key,
  unknown_block_key,
  compressed,
  own_quantisation,
  latent_window,
  unsized_linear,
  encoder_decoder,
  uncounted,  // for the account of parameters
  syntax,
  cut_off,
  nested_too_deep,
  file_too_large,
  unreadable,
  bytes_too_large,  // a result, for a question rather than a file
};
constexpr std::size_t kReasons = 47;

/// One refusal. Which of the texts are used depends on the reason.
struct Refusal {
  Reason reason = Reason::not_stated;
  std::string field;   // path of the key that caused it; empty for the whole file
  std::string value;   // the value found there, as text
  std::string other;   // path of a second key; of a constant state, the product of its sizes
  std::string detail;  // the value of the second key, or what was expected
};

std::string_view name(RefusalCode code);
std::string_view name(Reason reason);
RefusalCode code_of(Reason reason);

/// English sentences: the reason, and what would be right (empty where nothing would).
std::string reason_text(const Refusal& refusal);
std::string expected_text(const Refusal& refusal);

/// A template with {field}, {value}, {other} and {detail} replaced.
std::string filled(std::string_view text, const Refusal& refusal);

}  // namespace attn

// The English sentences of refusals, one row a reason. The Chinese ones are in
// lessons/data/cache-words.json under the same names.
#include <array>

#include "core/config_refusal.h"

namespace attn {
namespace {

struct Text {
  Reason reason;
  std::string_view why;
  std::string_view expected;  // empty where no other value would help
};

constexpr std::array<Text, kReasons> kTexts = {{
    {Reason::both_ways,
     "{field} is {value}: every token attends to later ones too, so no keys and values can be kept "
     "from one step to the next",
     ""},
    {Reason::encoder_only,
     "{field} is {value}, an encoder: it reads its whole input in one pass and keeps no cache", ""},
    {Reason::state_only,
     "the model has no attention; each sequence keeps a constant state of {detail} bytes "
     "({other}), "
     "whatever its length",
     ""},
    {Reason::unsized_state_only,
     "the model has no attention; it keeps a constant state, whose size the file does not give",
     ""},
    {Reason::not_stated, "the cache depends on {field}, and the file does not state it",
     "a whole number, 1 or more"},
    {Reason::no_head_width,
     "the cache depends on the width of a head, and the file states neither it nor the model's "
     "width",
     "head_dim, or hidden_size"},
    {Reason::needed_by, "{other} is {value}, and then the file must state {field}", ""},
    {Reason::no_window_pattern,
     "{other} states a window, and the file does not say which layers have it",
     "layer_types, with one entry for each layer"},
    {Reason::two_language_models, "{field} may hold the language model, and so may {other}",
     "one of the two"},
    {Reason::two_values, "{field} is {value}, and {other} is {detail}", "one value"},
    {Reason::one_head_and_several,
     "{field} is {value}, and {other} says that all query heads share one key-value head",
     "1, or the number of query heads"},
    {Reason::list_length, "{field} has {value} entries, and the model has {detail} layers",
     "one entry for each layer"},
    {Reason::other_layers, "{field} and {other} describe different layers", "one description"},
    {Reason::counts_disagree, "{field} is {value}, and {other} lists {detail}", "{detail}"},
    {Reason::counts_do_not_add_up,
     "{field} and {other} add up to {value}, and the model has {detail} layers", "{detail}"},
    {Reason::described_twice, "{field} describes every layer, and so does {other}",
     "one of the two"},
    {Reason::only_with, "{field} is {value}, which has a meaning only where {other} is true",
     "{other} set to true"},
    {Reason::window_or_chunk,
     "{field} is {value}, {other} is {detail}, and no list says which layers have which",
     "layer_types, with one entry for each layer"},
    {Reason::repeated_key, "the key {field} is given twice", "one of the two"},
    {Reason::config_not_object, "a config is an object with named fields, and this is {value}",
     "an object"},
    {Reason::not_boolean, "{field} is {value}", "true or false"},
    {Reason::not_number, "{field} is {value}", "a number"},
    {Reason::not_text, "{field} is {value}", "text"},
    {Reason::not_list, "{field} is {value}", "a list"},
    {Reason::not_object, "{field} is {value}", "an object"},
    {Reason::not_a_count, "{field} is {value}", "a whole number, {detail} or more"},
    {Reason::not_in_range, "{field} is {value}", "a whole number in {detail}"},
    {Reason::not_divisible, "{field} is {value}, which is not divisible by {other} = {detail}",
     "a multiple of {detail}, or head_dim"},
    {Reason::not_a_divisor,
     "{field} is {value}, and {other} = {detail} query heads cannot be shared evenly among them",
     "a number that divides {detail}"},
    {Reason::not_shared_evenly, "{field} is {value}, which is not divisible by {detail}",
     "a multiple of {detail}"},
    {Reason::too_many_bytes, "{field} makes the result larger than can be counted exactly",
     "at most {detail} bytes"},
    {Reason::unknown_layer, "{field} names an unknown kind of layer: {value}", "one of {detail}"},
    {Reason::unknown_word, "{field} is {value}, which is not known", "one of {detail}"},
    {Reason::unknown_state_key,
     "{field} is not known, and its name describes layers that keep something else than keys and "
     "values",
     ""},
    {Reason::unknown_block_key,
     "{field} is not known, and it stands in the description of a block's attention", ""},
    {Reason::compressed,
     "{field} compresses several tokens into one cache entry; the size of the entries is not "
     "modelled",
     ""},
    {Reason::own_quantisation, "{field} is {value}: the model quantises its cache in its own way",
     "false"},
    {Reason::latent_window, "{field} puts windows over latent vectors, which is not modelled", ""},
    {Reason::unsized_linear,
     "{field} names layers of linear attention, and the file does not give the size of their state",
     ""},
    {Reason::encoder_decoder,
     "{field} describes an encoder with a decoder, and the file does not describe the decoder",
     "decoder_layers and decoder_attention_heads, or num_decoder_layers and num_heads"},
    {Reason::uncounted, "{field} is {value}: the parameters of such a model are not counted", ""},
    {Reason::syntax, "line {value}, column {other}: {detail} is not expected here", "valid JSON"},
    {Reason::cut_off, "the file ends too early, at line {value}, column {other}", "valid JSON"},
    {Reason::nested_too_deep, "lists and objects are nested deeper than {detail} levels",
     "at most {detail} levels"},
    {Reason::file_too_large, "the file has {value} bytes", "at most {detail} bytes"},
    {Reason::unreadable, "{field} cannot be read", "a readable file"},
    {Reason::bytes_too_large, "{field} is larger than 2^63 - 1 bytes",
     "a shorter context or a smaller batch"},
}};

constexpr bool in_order() {
  for (std::size_t i = 0; i < kTexts.size(); i++) {
    if (static_cast<std::size_t>(kTexts[i].reason) != i) return false;
  }
  return true;
}
static_assert(in_order());

const Text& text_of(Reason reason) { return kTexts[static_cast<std::size_t>(reason)]; }

}  // namespace

std::string reason_text(const Refusal& refusal) {
  return filled(text_of(refusal.reason).why, refusal);
}

std::string expected_text(const Refusal& refusal) {
  return filled(text_of(refusal.reason).expected, refusal);
}

}  // namespace attn

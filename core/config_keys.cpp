#include "core/config_keys.h"

#include <array>
#include <string>

namespace attn {
namespace {

// Lists of words are texts with a space around each word: a table of pointers would be larger than
// the words.

// Whole names: those that contain one of the alarming words below, and the commonest others, so
// that the list of ignored keys stays short.
constexpr std::string_view kNames =
    // names and versions
    " model_type architectures _name_or_path name_or_path auto_map transformers_version"
    " tokenizer_class torchscript id2label label2id task_specific_params finetuning_task"
    " problem_type generation_config"
    // vocabulary and embeddings
    " vocab_size padded_vocab_size pad_vocab_size_multiple tie_word_embeddings"
    " tie_encoder_decoder ignore_index word_embed_proj_dim prefix"
    // how attention is computed; the cache does not depend on it
    " _attn_implementation _attn_implementation_autoset attn_implementation attn_output_gate"
    " attention_value_scale attention_multiplier attn_scale attn_temperature_tuning"
    " floor_scale attention_softmax_in_fp32 attn_logit_softcapping final_logit_softcapping"
    " query_pre_attn_scalar attention_probs_dropout_prob attn_dropout_prob"
    " scale_attn_weights scale_attn_by_inverse_layer_idx reorder_and_upcast_attn"
    " parallel_attn use_flash_attn use_logn_attn use_cache_kernel"
    " scale_attention_softmax_in_fp32 attn_rotary_emb add_bias_linear interleaved_qkv"
    " skip_bias_add_qkv pre_allocate_kv_cache use_parallel_block"
    " layernorm_full_attention_beta layernorm_linear_attention_beta"
    " use_bidirectional_attention apply_query_key_layer_scaling use_qk_norm qk_norm_type"
    " qk_layernorm use_cache output_attentions output_hidden_states pruned_heads"
    " pretraining_tp q_lora_rank o_lora_rank alibi gating"
    // feed-forward part
    " intermediate_size intermediate_size_mlp shared_intermediate_size ffn_hidden_size"
    " n_inner hidden_act hidden_activation activation_function mlp_hidden_act swiglu_limit"
    " chunk_size_feed_forward first_k_dense_replace mlp_only_layers mlp_layer_types"
    " interleave_moe_layer_step decoder_sparse_step norm_topk_prob topk_group topk_method"
    " n_group scoring_func routed_scaling_factor ep_size seq_aux aux_loss_alpha"
    " use_routing_bias use_double_wide_mlp hidden_size_per_layer_input"
    " vocab_size_per_layer_input laurel_rank activation_sparsity_pattern enable_moe_block"
    // norms and residuals
    " rmsnorm post_layer_norm apply_residual_connection_post_layernorm do_layer_norm_before"
    " _remove_final_layer_norm layer_norm_elementwise_affine layerdrop"
    " rescale_prenorm_residual residual_in_fp32 fp32_residual_connection"
    // positions
    " partial_rotary_factor rotary_dim rotary_pct original_rope swa_rope_theta"
    " indexer_rope_interleave position_embedding_type use_mrope"
    " original_max_position_embeddings initial_context_length"
    // state-space layers: intermediate results
    " use_mamba_kernels mamba_hidden_act mamba_chunk_size mamba_dt_rank"
    " mamba_inner_layernorms num_logits_to_keep"
    // prediction heads beside the counted layers
    " num_nextn_predict_layers num_mtp_modules use_mtp"
    // encoders of other media: index of a layer to read, adapters
    " select_layer add_classification_head use_backbone_lora use_llm_lora for_llm_compressor"
    " use_unified_vision_chunk"
    // training and generation
    " initializer_range return_dict return_dict_in_generate max_length min_length do_sample"
    " temperature top_k top_p typical_p num_beams num_beam_groups num_return_sequences"
    " length_penalty repetition_penalty diversity_penalty no_repeat_ngram_size"
    " encoder_no_repeat_ngram_size early_stopping output_scores output_router_logits"
    " remove_invalid_values tf_legacy_loss use_bfloat16 bad_words_ids suppress_tokens"
    " begin_suppress_tokens is_decoder exponential_decay_length_penalty bias scale_embedding"
    " ";

constexpr std::string_view kPrefixes =
    " vision_ visual_ audio_ image_ video_ mm_ vit_ talker_ token2wav code2wav speech_"
    " projector_ rope_ mrope_ moe_ router_ mtp_ summary_ time_step_ altup_"
    " ";

constexpr std::string_view kSuffixes =
    " _token_id _token_ids _token_index _dropout _pdrop _eps _epsilon _bias"
    " ";

constexpr std::string_view kAlarms =
    " attention attn cache kv query window sliding swa chunk head layer block compress index"
    " state rank latent lora ssm mamba recurr lru conv linear delta memory sparse local"
    " global hybrid pattern"
    " ";

struct Reason {
  std::string_view key;
  const char* why;
};

constexpr std::array kNotModelled = {
    Reason{
        "compress_ratios",
        "several tokens are compressed into one cache entry, by a ratio for each layer; how much "
        "each layer then keeps is not modelled"},
    Reason{"is_encoder_decoder", "an encoder-decoder also keeps keys and values of its input"},
    Reason{"add_cross_attention", "cross-attention also keeps keys and values of another input"},
    Reason{"cross_attention_layers", "cross-attention also keeps keys and values of another input"},
    Reason{"use_cache_quantization", "the model quantises its cache in its own way"},
    Reason{"type_vocab_size", "segment embeddings belong to an encoder, which keeps no cache"},
};

/// True if `holds` of one of the words.
template <typename Predicate>
bool any_word(std::string_view words, Predicate holds) {
  while (words.size() > 1) {
    words.remove_prefix(1);
    const std::string_view word = words.substr(0, words.find(' '));
    if (holds(word)) return true;
    words.remove_prefix(word.size());
  }
  return false;
}

bool has_word(std::string_view words, std::string_view word) {
  return any_word(words, [word](std::string_view known) { return known == word; });
}

}  // namespace

bool is_known_not_to_matter(std::string_view key) {
  return has_word(kNames, key) ||
         any_word(kPrefixes, [key](std::string_view word) { return key.starts_with(word); }) ||
         any_word(kSuffixes, [key](std::string_view word) { return key.ends_with(word); }) ||
         key.find("expert") != std::string_view::npos;
}

bool speaks_of_the_cache(std::string_view key) {
  std::string lower(key);
  for (char& c : lower) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return any_word(kAlarms,
                  [&](std::string_view word) { return lower.find(word) != std::string::npos; });
}

const char* not_modelled(std::string_view key) {
  for (const Reason& reason : kNotModelled) {
    if (reason.key == key) return reason.why;
  }
  return nullptr;
}

}  // namespace attn

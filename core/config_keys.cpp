#include "core/config_keys.h"

#include <algorithm>
#include <string>
#include <vector>

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
    " layernorm_full_attention_alpha layernorm_full_attention_beta"
    " layernorm_linear_attention_alpha layernorm_linear_attention_beta layernorm_mlp_alpha"
    " use_bidirectional_attention apply_query_key_layer_scaling use_qk_norm qk_norm_type"
    " attention_output_gate head_wise_attn_output_gate"
    " qk_norm use_attention_sinks add_full_attention_sink_bias add_swa_attention_sink_bias"
    " _flash_attn_2_enabled use_sdpa flash_attn use_flash_attention"
    " is_causal full_attn_alpha_factor full_attn_beta_factor"
    " linear_attn_alpha_factor linear_attn_beta_factor mlp_alpha_factor mlp_beta_factor"
    " clip_qkv qkv_bias use_gqa"
    " attention_logit_cap logit_scale logits_scaling"
    " query_num use_shared_attention_lora use_shared_block_lora use_shared_attention_adapter"
    " use_shared_mlp_adapter lora_rank adapter_rank ft_lora num_mem_blocks use_mem_rope"
    " use_long_context linear_silu group_norm_size kda_lower_bound kda_safe_gate no_kda_lora"
    " gated_attention_proj_granularity_type headwise_attn_output_gate gate_attn_act_mode"
    " full_attn_mod mla_scale_q_lora mla_scale_kv_lora"
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
    " num_shared_experts moe_layer_freq moe_layers moe_layer_interval mlp_layers dense_layers"
    " n_dense_layers num_dense_layers first_dense_layers n_hash_layers ffn_config hidden_dim"
    " multiple_of ffn_dim_multiplier dense_intermediate_size gated_linear_unit layer_idx d_ff"
    " decoder_ffn_dim encoder_ffn_dim feed_forward_proj block_dim block_ff_dim block_multiple_of"
    " block_auto_adjust_ff_dim block_use_swiglu block_mlp_init_scale block_out_init_scale"
    " block_use_xavier_init"
    // norms and residuals
    " rmsnorm post_layer_norm apply_residual_connection_post_layernorm do_layer_norm_before"
    " _remove_final_layer_norm layer_norm_elementwise_affine layerdrop"
    " rescale_prenorm_residual residual_in_fp32 fp32_residual_connection"
    // positions
    " partial_rotary_factor rotary_dim rotary_pct original_rope swa_rope_theta"
    " indexer_rope_interleave position_embedding_type use_mrope"
    " original_max_position_embeddings initial_context_length yarn_scaling_factor"
    " use_dynamic_ntk relative_attention_num_buckets relative_attention_max_distance"
    " global_rope_theta local_rope_theta use_rope"
    // state-space layers: intermediate results
    " use_mamba_kernels mamba_hidden_act mamba_chunk_size mamba_dt_rank"
    " mamba_inner_layernorms num_logits_to_keep"
    // prediction heads beside the counted layers
    " num_nextn_predict_layers num_mtp_modules use_mtp _num_mtp_layers num_mtp_layers"
    " target_layer_ids num_target_layers block_size reuse_target_lm_head"
    // settings of another program
    " transformers.js_config"
    // encoders of other media: index of a layer to read, adapters
    " select_layer add_classification_head use_backbone_lora use_llm_lora for_llm_compressor"
    " use_unified_vision_chunk seconds_per_chunk position_id_per_seconds batch_vision_input "
    "drop_vision_last_layer vision_tower "
    "mm_hidden_size"
    " add_visual_expert fullatt_block_indexes encoder_layers encoder_attention_heads"
    " encoder_layerdrop decoder_layerdrop num_mel_bins max_target_positions median_filter_width"
    " apply_spec_augment mask_time_prob use_weighted_layer_sum cross_attention_hidden_size"
    " classifier_proj_size"
    // training and generation
    " initializer_range return_dict return_dict_in_generate max_length min_length do_sample"
    " temperature top_k top_p typical_p num_beams num_beam_groups num_return_sequences"
    " length_penalty repetition_penalty diversity_penalty no_repeat_ngram_size"
    " encoder_no_repeat_ngram_size early_stopping output_scores output_router_logits"
    " remove_invalid_values tf_legacy_loss use_bfloat16 bad_words_ids suppress_tokens"
    " begin_suppress_tokens is_decoder exponential_decay_length_penalty bias scale_embedding"
    " gradient_checkpointing use_gradient_checkpointing norm_head z_loss_weight"
    " per_layer_init_scale model_parallel tensor_parallel_size sequence_parallel"
    " use_fused_rms_norm use_fused_mlp fused_bias_fc forced_bos_token_id"
    " forced_eos_token_id forced_decoder_ids decoder_start_token_id tie_encoder_decoder"
    " chat_template head_bias lm_head_bias untie_lm_head input_emb_scale"
    " ";

constexpr std::string_view kPrefixes =
    " vision_ visual_ audio_ image_ video_ mm_ vit_ talker_ token2wav code2wav speech_ tts_"
    " projector_ rope_ mrope_ moe_ router_ mtp_ summary_ time_step_ altup_ gen_ slice_ resampler_"
    " perceiver_ draft_ eagle_ dflash_ dspark_ medusa_ loss_ train_ training_ freeze_ unfreeze_"
    " tune_ tokenizer_ init_ swiglu_ clip_ pregate_"
    " ";

constexpr std::string_view kSuffixes =
    " _token_id _token_ids _token_index _dropout _pdrop _eps _epsilon _bias _loss _loss_coef"
    " _loss_weight _act _act_fn _activation _dropout_prob _layer_norm _layernorm _norm"
    " _initializer_range _init_std _temperature _implementation _multiplier _scaling_factor"
    " _special_tokens _tokens"
    " ";

constexpr std::string_view kOtherParts =
    " vision visual image video audio speech sound talker token2wav code2wav tts gen_ aligner"
    " projector adapter resampler perceiver draft eagle medusa dflash dspark mtp diffusion dit vq"
    " vae codec"
    " connector tower encoder generation quant rope slice ffn mlp moe router tokenizer processor"
    " depth_decoder vocoder flow mel spk speaker"
    " ";

constexpr std::string_view kOtherLayers =
    " mamba ssm recurr lru rwkv conv linear_att linear_key linear_value linear_num delta compress"
    " retention loop gla_ xlstm kda_ lightning cla_"
    " ";

constexpr std::string_view kAlarms =
    " attention attn cache kv query window sliding swa chunk head layer block index"
    " state rank latent lora memory sparse local global hybrid pattern causal"
    " ";

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

/// The words in order, for a quick search among many.
std::vector<std::string_view> sorted_words(std::string_view words) {
  std::vector<std::string_view> sorted;
  any_word(words, [&](std::string_view word) {
    sorted.push_back(word);
    return false;
  });
  std::sort(sorted.begin(), sorted.end());
  return sorted;
}

/// True if one of the words occurs in the key, in whatever case.
bool any_part(std::string_view words, std::string_view key) {
  std::string lower(key);
  for (char& c : lower) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return any_word(words,
                  [&](std::string_view word) { return lower.find(word) != std::string::npos; });
}

}  // namespace

bool is_known_not_to_matter(std::string_view key) {
  static const std::vector<std::string_view> names = sorted_words(kNames);
  return std::binary_search(names.begin(), names.end(), key) ||
         any_word(kPrefixes, [key](std::string_view word) { return key.starts_with(word); }) ||
         any_word(kSuffixes, [key](std::string_view word) { return key.ends_with(word); }) ||
         key.find("expert") != std::string_view::npos;
}

bool names_other_part(std::string_view key) { return any_part(kOtherParts, key); }

bool speaks_of_other_layers(std::string_view key) { return any_part(kOtherLayers, key); }

bool speaks_of_the_cache(std::string_view key) { return any_part(kAlarms, key); }

}  // namespace attn

#include "core/config_keys.h"

#include <algorithm>
#include <array>
#include <string>

namespace attn {
namespace {

using namespace std::literals;

// Whole names. Only those need to stand here whose name would otherwise alarm, and the commonest
// others, so that the list of ignored keys stays worth reading.
constexpr std::array kNames = {
    // names and versions
    "model_type"sv,
    "architectures"sv,
    "_name_or_path"sv,
    "name_or_path"sv,
    "auto_map"sv,
    "transformers_version"sv,
    "tokenizer_class"sv,
    "torchscript"sv,
    "id2label"sv,
    "label2id"sv,
    "task_specific_params"sv,
    "finetuning_task"sv,
    "problem_type"sv,
    "generation_config"sv,
    // vocabulary and embeddings
    "vocab_size"sv,
    "padded_vocab_size"sv,
    "pad_vocab_size_multiple"sv,
    "tie_word_embeddings"sv,
    "tie_encoder_decoder"sv,
    "ignore_index"sv,
    "word_embed_proj_dim"sv,
    "prefix"sv,
    // how attention is computed, not what it keeps
    "_attn_implementation"sv,
    "_attn_implementation_autoset"sv,
    "attn_implementation"sv,
    "attn_output_gate"sv,
    "attention_value_scale"sv,
    "attention_multiplier"sv,
    "attn_scale"sv,
    "attn_temperature_tuning"sv,
    "floor_scale"sv,
    "attention_softmax_in_fp32"sv,
    "attn_logit_softcapping"sv,
    "final_logit_softcapping"sv,
    "query_pre_attn_scalar"sv,
    "attention_probs_dropout_prob"sv,
    "attn_dropout_prob"sv,
    "scale_attn_weights"sv,
    "scale_attn_by_inverse_layer_idx"sv,
    "reorder_and_upcast_attn"sv,
    "parallel_attn"sv,
    "use_flash_attn"sv,
    "use_logn_attn"sv,
    "use_cache_kernel"sv,
    "use_bidirectional_attention"sv,
    "apply_query_key_layer_scaling"sv,
    "use_qk_norm"sv,
    "qk_norm_type"sv,
    "qk_layernorm"sv,
    "use_cache"sv,
    "output_attentions"sv,
    "output_hidden_states"sv,
    "pruned_heads"sv,
    "pretraining_tp"sv,
    "q_lora_rank"sv,
    "o_lora_rank"sv,
    "alibi"sv,
    "gating"sv,
    // feed-forward part
    "intermediate_size"sv,
    "intermediate_size_mlp"sv,
    "shared_intermediate_size"sv,
    "ffn_hidden_size"sv,
    "n_inner"sv,
    "hidden_act"sv,
    "hidden_activation"sv,
    "activation_function"sv,
    "mlp_hidden_act"sv,
    "swiglu_limit"sv,
    "chunk_size_feed_forward"sv,
    "first_k_dense_replace"sv,
    "mlp_only_layers"sv,
    "mlp_layer_types"sv,
    "interleave_moe_layer_step"sv,
    "decoder_sparse_step"sv,
    "norm_topk_prob"sv,
    "topk_group"sv,
    "topk_method"sv,
    "n_group"sv,
    "scoring_func"sv,
    "routed_scaling_factor"sv,
    "ep_size"sv,
    "seq_aux"sv,
    "aux_loss_alpha"sv,
    "use_routing_bias"sv,
    "use_double_wide_mlp"sv,
    "hidden_size_per_layer_input"sv,
    "vocab_size_per_layer_input"sv,
    "laurel_rank"sv,
    "activation_sparsity_pattern"sv,
    "enable_moe_block"sv,
    // norms and residuals
    "rmsnorm"sv,
    "post_layer_norm"sv,
    "apply_residual_connection_post_layernorm"sv,
    "do_layer_norm_before"sv,
    "_remove_final_layer_norm"sv,
    "layer_norm_elementwise_affine"sv,
    "layerdrop"sv,
    "rescale_prenorm_residual"sv,
    "residual_in_fp32"sv,
    "fp32_residual_connection"sv,
    // positions
    "partial_rotary_factor"sv,
    "rotary_dim"sv,
    "rotary_pct"sv,
    "original_rope"sv,
    "swa_rope_theta"sv,
    "indexer_rope_interleave"sv,
    "position_embedding_type"sv,
    "use_mrope"sv,
    "original_max_position_embeddings"sv,
    "initial_context_length"sv,
    // state-space layers: what is computed on the way
    "use_mamba_kernels"sv,
    "mamba_hidden_act"sv,
    "mamba_chunk_size"sv,
    "mamba_dt_rank"sv,
    "mamba_inner_layernorms"sv,
    "num_logits_to_keep"sv,
    // prediction heads beside the counted layers
    "num_nextn_predict_layers"sv,
    "num_mtp_modules"sv,
    "use_mtp"sv,
    // towers for other media: index of a layer to read, adapters
    "select_layer"sv,
    "add_classification_head"sv,
    "use_backbone_lora"sv,
    "use_llm_lora"sv,
    "for_llm_compressor"sv,
    "use_unified_vision_chunk"sv,
    // training and generation
    "initializer_range"sv,
    "return_dict"sv,
    "return_dict_in_generate"sv,
    "max_length"sv,
    "min_length"sv,
    "do_sample"sv,
    "temperature"sv,
    "top_k"sv,
    "top_p"sv,
    "typical_p"sv,
    "num_beams"sv,
    "num_beam_groups"sv,
    "num_return_sequences"sv,
    "length_penalty"sv,
    "repetition_penalty"sv,
    "diversity_penalty"sv,
    "no_repeat_ngram_size"sv,
    "encoder_no_repeat_ngram_size"sv,
    "early_stopping"sv,
    "output_scores"sv,
    "output_router_logits"sv,
    "remove_invalid_values"sv,
    "tf_legacy_loss"sv,
    "use_bfloat16"sv,
    "bad_words_ids"sv,
    "suppress_tokens"sv,
    "begin_suppress_tokens"sv,
    "is_decoder"sv,
    "exponential_decay_length_penalty"sv,
    "bias"sv,
    "scale_embedding"sv,
};

constexpr std::array kPrefixes = {
    "vision_"sv, "visual_"sv,   "audio_"sv,   "image_"sv,   "video_"sv,     "mm_"sv,    "vit_"sv,
    "talker_"sv, "token2wav"sv, "code2wav"sv, "speech_"sv,  "projector_"sv, "rope_"sv,  "mrope_"sv,
    "moe_"sv,    "router_"sv,   "mtp_"sv,     "summary_"sv, "time_step_"sv, "altup_"sv,
};

constexpr std::array kSuffixes = {
    "_token_id"sv, "_token_ids"sv, "_token_index"sv, "_dropout"sv,
    "_pdrop"sv,    "_eps"sv,       "_epsilon"sv,     "_bias"sv,
};

constexpr std::array kAlarms = {
    "attention"sv, "attn"sv,   "cache"sv,   "kv"sv,    "query"sv,  "window"sv,   "sliding"sv,
    "swa"sv,       "chunk"sv,  "head"sv,    "layer"sv, "block"sv,  "compress"sv, "index"sv,
    "state"sv,     "rank"sv,   "latent"sv,  "lora"sv,  "ssm"sv,    "mamba"sv,    "recurr"sv,
    "lru"sv,       "conv"sv,   "linear"sv,  "delta"sv, "memory"sv, "sparse"sv,   "local"sv,
    "global"sv,    "hybrid"sv, "pattern"sv,
};

struct Reason {
  std::string_view key;
  std::string_view why;
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

}  // namespace

bool is_known_not_to_matter(std::string_view key) {
  return std::find(kNames.begin(), kNames.end(), key) != kNames.end() ||
         std::any_of(kPrefixes.begin(), kPrefixes.end(),
                     [&](std::string_view prefix) { return key.starts_with(prefix); }) ||
         std::any_of(kSuffixes.begin(), kSuffixes.end(),
                     [&](std::string_view suffix) { return key.ends_with(suffix); }) ||
         key.find("expert") != std::string_view::npos;
}

bool speaks_of_the_cache(std::string_view key) {
  std::string lower(key);
  for (char& c : lower) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return std::any_of(kAlarms.begin(), kAlarms.end(),
                     [&](std::string_view word) { return lower.find(word) != std::string::npos; });
}

std::string_view not_modelled(std::string_view key) {
  for (const Reason& reason : kNotModelled) {
    if (reason.key == key) return reason.why;
  }
  return {};
}

}  // namespace attn

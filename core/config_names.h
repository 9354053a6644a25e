// The names under which published configs state the same quantity, the one to show first.
#pragma once

#include <array>
#include <string_view>

namespace attn {

constexpr std::string_view kLayersNames =
    "num_hidden_layers n_layer n_layers num_layers num_transformer_layers";
constexpr std::string_view kHeadsNames = "num_attention_heads n_head n_heads num_heads";
constexpr std::string_view kKvHeadsNames =
    "num_key_value_heads n_head_kv num_kv_heads n_kv_heads num_attention_groups";
constexpr std::string_view kHeadWidthNames =
    "head_dim attention_head_dim kv_channels head_size d_kv";
constexpr std::string_view kModelWidthNames = "hidden_size n_embd n_embed d_model model_dim dim";

/// In order of authority: some files also state what the model was first trained on.
constexpr std::array<std::string_view, 7> kMaxContextNames = {"max_position_embeddings",
                                                              "n_positions",
                                                              "max_sequence_length",
                                                              "seq_length",
                                                              "max_seq_len",
                                                              "n_ctx",
                                                              "model_max_length"};

/// The keys of the language model's own config in a model of several parts.
constexpr std::array<std::string_view, 10> kLanguageModelNames = {
    "text_config",    "llm_config",  "language_config",       "thinker_config",
    "llm_cfg",        "lm_config",   "language_model_config", "text_model_config",
    "decoder_config", "llama_config"};

}  // namespace attn

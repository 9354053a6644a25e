#include "core/config_defaults.h"

#include <array>
#include <string>

namespace attn {
namespace {

struct Class {
  std::string_view name;
  // "key value key value …"; a value is a number, true or false, or a list of numbers or words
  // with a comma behind each
  std::string_view defaults;
};

// Only keys that the cache depends on. `num_key_value_heads` is left out where the class takes the
// number of query heads.
constexpr std::array kClasses = {
    Class{"llama", "hidden_size 4096 num_hidden_layers 32 num_attention_heads 32"},
    Class{"mistral",
          "hidden_size 4096 num_hidden_layers 32 num_attention_heads 32 num_key_value_heads 8"
          " sliding_window 4096"},
    Class{"mixtral",
          "hidden_size 4096 num_hidden_layers 32 num_attention_heads 32 num_key_value_heads 8"},
    Class{"qwen2",
          "hidden_size 4096 num_hidden_layers 32 num_attention_heads 32 num_key_value_heads 32"
          " use_sliding_window false"},
    Class{"qwen2_moe",
          "hidden_size 2048 num_hidden_layers 24 num_attention_heads 16 num_key_value_heads 16"
          " use_sliding_window false"},
    Class{"qwen2_vl_text",
          "hidden_size 8192 num_hidden_layers 80 num_attention_heads 64 num_key_value_heads 8"
          " use_sliding_window false"},
    Class{"qwen2_5_vl_text",
          "hidden_size 8192 num_hidden_layers 80 num_attention_heads 64 num_key_value_heads 8"
          " use_sliding_window false"},
    Class{"qwen3",
          "hidden_size 4096 num_hidden_layers 32 num_attention_heads 32 num_key_value_heads 32"
          " head_dim 128 use_sliding_window false"},
    Class{"qwen3_moe",
          "hidden_size 2048 num_hidden_layers 24 num_attention_heads 32 num_key_value_heads 4"
          " use_sliding_window false"},
    Class{"gemma",
          "hidden_size 3072 num_hidden_layers 28 num_attention_heads 16 num_key_value_heads 16"
          " head_dim 256"},
    Class{"gemma2",
          "hidden_size 2304 num_hidden_layers 26 num_attention_heads 8 num_key_value_heads 4"
          " head_dim 256 sliding_window 4096 sliding_window_pattern 2"},
    Class{"gemma3_text",
          "hidden_size 2304 num_hidden_layers 26 num_attention_heads 8 num_key_value_heads 4"
          " head_dim 256 sliding_window 4096 sliding_window_pattern 6"},
    Class{"gemma3n_text",
          "hidden_size 2048 num_hidden_layers 35 num_attention_heads 8 num_key_value_heads 2"
          " head_dim 256 sliding_window 512 sliding_window_pattern 5 num_kv_shared_layers 15"},
    Class{"cohere", "hidden_size 8192 num_hidden_layers 40 num_attention_heads 64"},
    Class{"cohere2",
          "hidden_size 8192 num_hidden_layers 40 num_attention_heads 64 sliding_window 4096"
          " sliding_window_pattern 4"},
    Class{"olmo", "hidden_size 4096 num_hidden_layers 32 num_attention_heads 32"},
    Class{"olmo2", "hidden_size 4096 num_hidden_layers 32 num_attention_heads 32"},
    Class{"olmo3",
          "hidden_size 4096 num_hidden_layers 32 num_attention_heads 32 sliding_window 4096"
          " sliding_window_pattern 4"},
    Class{"exaone4",
          "hidden_size 4096 num_hidden_layers 32 num_attention_heads 32 num_key_value_heads 32"
          " sliding_window 4096 sliding_window_pattern 4"},
    Class{"gpt_oss",
          "hidden_size 2880 num_hidden_layers 36 num_attention_heads 64 num_key_value_heads 8"
          " head_dim 64 sliding_window 128 sliding_window_pattern 2"},
    Class{"llama4_text",
          "hidden_size 5120 num_hidden_layers 48 num_attention_heads 40 num_key_value_heads 8"
          " head_dim 128 attention_chunk_size 8192"},
    Class{"mllama_text_model",
          "hidden_size 4096 num_hidden_layers 40 num_attention_heads 32 num_key_value_heads 8"
          " cross_attention_layers 3,8,13,18,23,28,33,38,"},
    Class{"phi", "hidden_size 2048 num_hidden_layers 24 num_attention_heads 32"},
    Class{"phi3", "hidden_size 3072 num_hidden_layers 32 num_attention_heads 32"},
    Class{"starcoder2",
          "hidden_size 3072 num_hidden_layers 30 num_attention_heads 24 num_key_value_heads 2"},
    Class{"gpt_bigcode", "n_embd 768 n_layer 12 n_head 12 multi_query true"},
    Class{"gpt2", "n_embd 768 n_layer 12 n_head 12"},
    Class{"gpt_neo",
          "hidden_size 2048 num_layers 24 num_heads 16 window_size 256 attention_layers"
          " global,local,global,local,global,local,global,local,global,local,global,local,"
          "global,local,global,local,global,local,global,local,global,local,global,local,"},
    Class{"gpt_neox", "hidden_size 6144 num_hidden_layers 44 num_attention_heads 64"},
    Class{"gptj", "n_embd 4096 n_layer 28 n_head 16"},
    Class{"codegen", "n_embd 4096 n_layer 28 n_head 16"},
    Class{"opt", "hidden_size 768 num_hidden_layers 12 num_attention_heads 12"},
    Class{"bloom", "hidden_size 64 n_layer 2 n_head 8"},
    Class{"mpt", "d_model 2048 n_layers 24 n_heads 16"},
    Class{"falcon",
          "hidden_size 4544 num_hidden_layers 32 num_attention_heads 71 multi_query true"
          " new_decoder_architecture false"},
    Class{"stablelm",
          "hidden_size 2560 num_hidden_layers 32 num_attention_heads 32"
          " num_key_value_heads 32"},
    Class{"persimmon", "hidden_size 4096 num_hidden_layers 36 num_attention_heads 64"},
    Class{"glm",
          "hidden_size 4096 num_hidden_layers 40 num_attention_heads 32"
          " num_key_value_heads 2 head_dim 128"},
    Class{"glm4",
          "hidden_size 4096 num_hidden_layers 40 num_attention_heads 32"
          " num_key_value_heads 2 head_dim 128"},
    Class{"glm_moe_dsa",
          "num_hidden_layers 78 num_attention_heads 64 kv_lora_rank 512 qk_rope_head_dim 64"
          " index_head_dim 128"},
    Class{"granite", "hidden_size 4096 num_hidden_layers 32 num_attention_heads 32"},
    Class{"dbrx", "d_model 2048 n_layers 24 n_heads 16 num_key_value_heads 1"},
    Class{"zamba2",
          "hidden_size 2560 num_hidden_layers 54 num_attention_heads 32 mamba_d_state 64"
          " mamba_d_conv 4 mamba_expand 2 mamba_ngroups 1 layers_block_type"
          " mamba,mamba,mamba,mamba,mamba,mamba,hybrid,mamba,mamba,mamba,mamba,mamba,hybrid,"
          "mamba,mamba,mamba,mamba,mamba,hybrid,mamba,mamba,mamba,mamba,mamba,hybrid,"
          "mamba,mamba,mamba,mamba,mamba,hybrid,mamba,mamba,mamba,mamba,mamba,hybrid,"
          "mamba,mamba,mamba,mamba,mamba,hybrid,mamba,mamba,mamba,mamba,hybrid,"
          "mamba,mamba,mamba,hybrid,mamba,mamba,"},
    Class{"whisper", "max_source_positions 1500 is_encoder_decoder true"},
    Class{"t5", "d_model 512 d_kv 64 num_layers 6 num_heads 8 is_encoder_decoder true"},
    Class{"mt5", "d_model 512 d_kv 64 num_layers 8 num_heads 6 is_encoder_decoder true"},
    Class{"umt5", "d_model 512 d_kv 64 num_layers 8 num_heads 6 is_encoder_decoder true"},
    Class{"bart",
          "d_model 1024 decoder_layers 12 decoder_attention_heads 16 is_encoder_decoder true"},
    Class{"mbart",
          "d_model 1024 decoder_layers 12 decoder_attention_heads 16 is_encoder_decoder true"},
    Class{"m2m_100",
          "d_model 1024 decoder_layers 12 decoder_attention_heads 16 is_encoder_decoder true"},
    Class{"marian",
          "d_model 1024 decoder_layers 12 decoder_attention_heads 16 is_encoder_decoder true"},
    Class{"pegasus",
          "d_model 1024 decoder_layers 12 decoder_attention_heads 16 is_encoder_decoder true"},
};

struct Inner {
  std::string_view outer;
  std::string_view inner;
};

constexpr std::array kInner = {
    Inner{"gemma3", "gemma3_text"},
    Inner{"gemma3n", "gemma3n_text"},
    Inner{"llava", "llama"},
    Inner{"llava_next", "llama"},
    Inner{"video_llava", "llama"},
    Inner{"vipllava", "llama"},
    Inner{"llava_onevision", "qwen2"},
    Inner{"qwen2_audio", "qwen2"},
    Inner{"paligemma", "gemma"},
    Inner{"mllama", "mllama_text_model"},
    Inner{"llama4", "llama4_text"},
    Inner{"mistral3", "mistral"},
    Inner{"idefics3", "llama"},
    Inner{"qwen2_vl", "qwen2_vl_text"},
    Inner{"qwen2_5_vl", "qwen2_5_vl_text"},
};

// Each word has a space on both sides.
constexpr std::string_view kEncoders =
    " bert roberta xlm-roberta xlm-roberta-xl roberta-prelayernorm camembert distilbert albert"
    " electra deberta deberta-v2 mpnet modernbert nomic_bert new eurobert ernie layoutlm layoutlmv2"
    " layoutlmv3 convbert mobilebert squeezebert funnel longformer big_bird rembert esm xlm"
    " flaubert ibert lilt mega mra nystromformer qdqbert yoso megatron-bert luke splinter fnet"
    " clip clip_text_model clip_vision_model chinese_clip siglip siglip_text_model"
    " siglip_vision_model siglip2 siglip2_vision_model altclip clipseg groupvit vit vit_mae deit"
    " beit dinov2 dinov3_vit swin swinv2 cvt pvt segformer detr yolos dpt sam sam_vision_model"
    " hubert wav2vec2 wav2vec2-conformer wav2vec2-bert wavlm unispeech unispeech-sat"
    " data2vec-audio data2vec-text data2vec-vision sew audio-spectrogram-transformer videomae"
    " timesformer vivit llada llada_moe dream Dream ";

// Classes whose every layer has the window, if there is one.
constexpr std::string_view kWindowed =
    " mistral ministral mixtral phi3 phi3small phimoe phi3_v phi4mm phi4_multimodal starcoder2"
    " moshi ";

constexpr std::string_view kStates =
    " mamba mamba2 falcon_mamba rwkv rwkv4 rwkv5 rwkv6 rwkv7 rwkv6qwen2 xlstm retnet hyena ";

bool has_word(std::string_view words, std::string_view word) {
  if (word.empty() || word.find(' ') != std::string_view::npos) return false;
  return words.find(" " + std::string(word) + " ") != std::string_view::npos;
}

std::string_view take_word(std::string_view& words) {
  const std::size_t length = words.find(' ');
  const std::string_view word = words.substr(0, length);
  words.remove_prefix(length == std::string_view::npos ? words.size() : length + 1);
  return word;
}

ConfigValue value_of(std::string_view word) {
  if (word.ends_with(',')) {
    ConfigValue list = ConfigValue::list();
    while (!word.empty()) {
      const std::size_t length = word.find(',');
      list.add(value_of(word.substr(0, length)));
      word.remove_prefix(length + 1);
    }
    return list;
  }
  if (word.front() >= 'a' && word != "true" && word != "false")
    return ConfigValue(std::string(word));
  if (word == "true" || word == "false") return ConfigValue(word == "true");
  double number = 0;
  for (const char digit : word) number = 10 * number + (digit - '0');
  return ConfigValue(number);
}

}  // namespace

std::string_view inner_class(std::string_view outer_class) {
  for (const Inner& known : kInner) {
    if (known.outer == outer_class) return known.inner;
  }
  return {};
}

ConfigValue class_defaults(std::string_view model_type) {
  ConfigValue object = ConfigValue::object();
  for (const Class& known : kClasses) {
    if (known.name != model_type) continue;
    std::string_view words = known.defaults;
    while (!words.empty()) {
      const std::string key(take_word(words));
      object.add(key, value_of(take_word(words)));
    }
  }
  return object;
}

bool is_encoder_class(std::string_view model_type) { return has_word(kEncoders, model_type); }

bool windows_every_layer(std::string_view model_type) { return has_word(kWindowed, model_type); }

bool attends_twice(std::string_view model_type) { return model_type.starts_with("longcat_flash"); }

bool is_state_class(std::string_view model_type) { return has_word(kStates, model_type); }

}  // namespace attn

#include "wasm/train/results.h"

#include <emscripten/bind.h>

EMSCRIPTEN_BINDINGS(results) {
  using namespace attn;
  using namespace attn::wasm;
  using emscripten::value_object;
  value_object<GptConfig>("GptConfig")
      .field("vocabSize", &GptConfig::vocab_size)
      .field("blockSize", &GptConfig::block_size)
      .field("nLayers", &GptConfig::n_layers)
      .field("nHeads", &GptConfig::n_heads)
      .field("dModel", &GptConfig::d_model)
      .field("dFf", &GptConfig::d_ff);
  value_object<Settings>("Settings")
      .field("config", &Settings::config)
      .field("attention", &Settings::attention)
      .field("seed", &Settings::seed)
      .field("batchSize", &Settings::batch_size)
      .field("steps", &Settings::steps)
      .field("warmupSteps", &Settings::warmup_steps)
      .field("learningRate", &Settings::learning_rate);
  value_object<ParameterCount>("ParameterCount")
      .field("tokenEmbedding", &ParameterCount::token_embedding)
      .field("positionEmbedding", &ParameterCount::position_embedding)
      .field("attention", &ParameterCount::attention)
      .field("feedForward", &ParameterCount::feed_forward)
      .field("layerNorms", &ParameterCount::layer_norms)
      .field("finalNorm", &ParameterCount::final_norm)
      .field("total", &ParameterCount::total);
  value_object<Sizes>("Sizes")
      .field("trainingTokens", &Sizes::training_tokens)
      .field("validationTokens", &Sizes::validation_tokens)
      .field("parameters", &Sizes::parameters);
  value_object<Steps>("Steps")
      .field("steps", &Steps::steps)
      .field("diverged", &Steps::diverged)
      .field("losses", &Steps::losses)
      .field("gradientNorms", &Steps::gradient_norms)
      .field("learningRates", &Steps::learning_rates);
  value_object<Progress>("Progress")
      .field("steps", &Progress::steps)
      .field("diverged", &Progress::diverged);
  value_object<Diagnostics>("Diagnostics")
      .field("entropy", &Diagnostics::entropy)
      .field("logitDeviation", &Diagnostics::logit_deviation)
      .field("largestLogit", &Diagnostics::largest_logit)
      .field("jacobianNorm", &Diagnostics::jacobian_norm)
      .field("queryDeviation", &Diagnostics::query_deviation)
      .field("keyDeviation", &Diagnostics::key_deviation)
      .field("qkvNorm", &Diagnostics::qkv_norm)
      .field("diagonal", &Diagnostics::diagonal)
      .field("largestRowSum", &Diagnostics::largest_row_sum);
  value_object<Encoded>("Encoded")
      .field("ids", &Encoded::ids)
      .field("characters", &Encoded::characters);
  value_object<SampleSettings>("SampleSettings")
      .field("prompt", &SampleSettings::prompt)
      .field("count", &SampleSettings::count)
      .field("temperature", &SampleSettings::temperature)
      .field("topK", &SampleSettings::top_k)
      .field("cached", &SampleSettings::cached)
      .field("seed", &SampleSettings::seed);
  value_object<Sample>("Sample")
      .field("text", &Sample::text)
      .field("ids", &Sample::ids)
      .field("characters", &Sample::characters)
      .field("unknownInPrompt", &Sample::unknown_in_prompt)
      .field("beyondBlock", &Sample::beyond_block);
  value_object<ForwardTrace::Layer>("ForwardLayer")
      .field("input", &ForwardTrace::Layer::input)
      .field("norm1", &ForwardTrace::Layer::norm1)
      .field("qkv", &ForwardTrace::Layer::qkv)
      .field("weights", &ForwardTrace::Layer::weights)
      .field("heads", &ForwardTrace::Layer::heads)
      .field("middle", &ForwardTrace::Layer::middle)
      .field("norm2", &ForwardTrace::Layer::norm2)
      .field("up", &ForwardTrace::Layer::up)
      .field("active", &ForwardTrace::Layer::active);
  value_object<ForwardTrace>("ForwardTrace")
      .field("tokens", &ForwardTrace::tokens)
      .field("positions", &ForwardTrace::positions)
      .field("layers", &ForwardTrace::layers)
      .field("output", &ForwardTrace::output)
      .field("norm", &ForwardTrace::norm)
      .field("logits", &ForwardTrace::logits)
      .field("probabilities", &ForwardTrace::probabilities)
      .field("deviations", &ForwardTrace::deviations);
  value_object<Forward>("Forward")
      .field("ids", &Forward::ids)
      .field("characters", &Forward::characters)
      .field("trace", &Forward::trace);
  value_object<AttentionMap>("AttentionMap")
      .field("weights", &AttentionMap::weights)
      .field("characters", &AttentionMap::characters)
      .field("skipped", &AttentionMap::skipped);
  value_object<HeadPortrait>("HeadPortrait")
      .field("entropy", &HeadPortrait::entropy)
      .field("diagonal", &HeadPortrait::diagonal)
      .field("previous", &HeadPortrait::previous)
      .field("distance", &HeadPortrait::distance);
  value_object<Portraits>("Portraits")
      .field("layers", &Portraits::layers)
      .field("uniform", &Portraits::uniform)
      .field("skipped", &Portraits::skipped);
}

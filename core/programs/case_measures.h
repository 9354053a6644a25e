// Measurements of a model of the case study, as JSON: statistics of its heads, their removal, and
// samples.
#pragma once

#include <nlohmann/json.hpp>
#include <span>

#include "core/gpt/diagnostics.h"
#include "core/gpt/tokenizer.h"
#include "core/gpt/trainer.h"

namespace attn {

using Json = nlohmann::ordered_json;

/// The text whose maps show the course of a run: a poem of the corpus.
constexpr char kVerse[] = "萬里邊城遠，千山行路難。舉頭唯見日，何處是長安。";

Json to_json(const Diagnostics& d);

/// Layer 0 on one batch that is the same for all runs: the first windows of the validation text.
Json scales(Trainer<float>& trainer, std::span<const int> validation);

/// The four statistics of every head, averaged over pieces of the validation text.
Json portraits(Trainer<float>& trainer, std::span<const int> validation);

/// The validation loss without each head.
Json ablation(Trainer<float>& trainer);

/// Texts from three prompts, each drawn in three ways.
Json samples(Trainer<float>& trainer, const Tokenizer& tokenizer);

/// The model after a number of steps, as a reader of a live run sees it: a poem, and the maps.
Json moment(Trainer<float>& trainer, const Tokenizer& tokenizer, int steps);

}  // namespace attn

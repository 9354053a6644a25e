// The account of parameters against published counts, each once more as a sum over layers.
#include "core/parameters.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <variant>

#include "core/programs/json_config.h"
#include "tests/core/model_files.h"

using namespace attn;

namespace {

ParameterAccount account_or_fail(const ConfigValue& config) {
  const auto result = read_parameters(config);
  if (const auto* refusal = std::get_if<Refusal>(&result)) FAIL(reason_text(*refusal));
  return std::get<ParameterAccount>(result);
}

ParameterAccount account_of(const std::string& model) {
  return account_or_fail(model_config(model));
}

/// A decoder with shared heads and a gated feed-forward part, by its sizes.
struct Gated {
  std::int64_t vocabulary, width, layers, heads, kv_heads, head, hidden;
  bool tied = false;
  std::int64_t experts = 0;  // 0: one feed-forward part, without a router
  bool qkv_bias = false;
  bool qk_norm = false;
  int norms = 2;  // in a layer
};

/// Every tensor of every layer, one by one.
std::int64_t enumerated(const Gated& of) {
  std::int64_t total = of.vocabulary * of.width + of.width;
  if (!of.tied) total += of.vocabulary * of.width;
  for (std::int64_t layer = 0; layer < of.layers; layer++) {
    for (int norm = 0; norm < of.norms; norm++) total += of.width;
    for (const std::int64_t heads : {of.heads, of.kv_heads, of.kv_heads}) {
      total += of.width * heads * of.head;
      if (of.qkv_bias) total += heads * of.head;
    }
    if (of.qk_norm) total += of.head + of.head;
    total += of.heads * of.head * of.width;
    if (of.experts > 0) total += of.width * of.experts;
    for (std::int64_t expert = 0; expert < std::max<std::int64_t>(of.experts, 1); expert++) {
      total += of.width * of.hidden + of.width * of.hidden + of.hidden * of.width;
    }
  }
  return total;
}

void check(const ConfigValue& config, const Gated& sizes, std::int64_t published) {
  CHECK(enumerated(sizes) == published);
  CHECK(account_or_fail(config).total == published);
}

}  // namespace

TEST_CASE("parameters: published counts of models with shared heads") {
  // The counts are the numbers of elements that the model pages on Hugging Face show for the
  // safetensors files.
  check(model_config("llama-2-7b"), {32000, 4096, 32, 32, 32, 128, 11008}, 6738415616);
  check(model_config("llama-2-70b"), {32000, 8192, 80, 64, 8, 128, 28672}, 68976648192);
  check(model_config("llama-3.1-8b"), {128256, 4096, 32, 32, 8, 128, 14336}, 8030261248);
  check(parse_config(
            read_project_file("tests/core/configs/whole/meta-llama--Llama-3.3-70B-Instruct.json")),
        {128256, 8192, 80, 64, 8, 128, 28672}, 70553706496);
  check(model_config("mistral-7b-v0.1"), {32000, 4096, 32, 32, 8, 128, 14336}, 7241732096);
  check(model_config("mixtral-8x7b"),
        {.vocabulary = 32000,
         .width = 4096,
         .layers = 32,
         .heads = 32,
         .kv_heads = 8,
         .head = 128,
         .hidden = 14336,
         .experts = 8},
        46702792704);
  check(model_config("qwen2.5-7b"),
        {.vocabulary = 152064,
         .width = 3584,
         .layers = 28,
         .heads = 28,
         .kv_heads = 4,
         .head = 128,
         .hidden = 18944,
         .qkv_bias = true},
        7615616512);
  check(model_config("qwen3-30b-a3b"),
        {.vocabulary = 151936,
         .width = 2048,
         .layers = 48,
         .heads = 32,
         .kv_heads = 4,
         .head = 128,
         .hidden = 768,
         .experts = 128,
         .qk_norm = true},
        30532122624);
  check(model_config("gemma-3-1b"),
        {.vocabulary = 262144,
         .width = 1152,
         .layers = 26,
         .heads = 4,
         .kv_heads = 1,
         .head = 256,
         .hidden = 6912,
         .tied = true,
         .qk_norm = true,
         .norms = 4},
        999885952);
}

TEST_CASE("parameters: GPT-2 small has 124,439,808, as its weights on Hugging Face have") {
  // Tables, then per layer two LayerNorms, Q, K, V and the output, and two matrices, with terms.
  std::int64_t total = 50257 * 768 + 1024 * 768;
  for (int layer = 0; layer < 12; layer++) {
    total += 2 * 768 + 768 * 2304 + 2304 + 768 * 768 + 768;
    total += 2 * 768 + 768 * 3072 + 3072 + 3072 * 768 + 768;
  }
  total += 2 * 768;
  CHECK(total == 124439808);
  const ParameterAccount account = account_of("gpt2");
  CHECK(account.total == total);
  CHECK(account.tied);
  CHECK(account.known);
}

TEST_CASE("parameters: DeepSeek-V3 with latent attention and 256 experts") {
  // The count of its report is 671B; without the layer for further tokens and without the terms
  // that balance the experts, 671,026,404,352.
  std::int64_t total = 2LL * 129280 * 7168 + 7168;
  for (int layer = 0; layer < 61; layer++) {
    total += 2 * 7168;
    total += 7168LL * 1536 + 1536 + 1536LL * 128 * 192;
    total += 7168LL * (512 + 64) + 512 + 512LL * 128 * (128 + 128);
    total += 128LL * 128 * 7168;
    if (layer < 3) {
      total += 3LL * 7168 * 18432;
    } else {
      total += 7168 * 256;
      for (int expert = 0; expert < 256 + 1; expert++) total += 3LL * 7168 * 2048;
    }
  }
  CHECK(total == 671026404352);
  CHECK(account_of("deepseek-v3").total == total);
}

TEST_CASE("parameters: DeepSeek-V3.2 adds an indexer to each layer of V3") {
  // 64 heads of 128 from the query's latent vector, one key of 128 with its LayerNorm, 64 weights.
  const std::int64_t indexer = 1536LL * 64 * 128 + 7168 * 128 + 2 * 128 + 7168 * 64;
  const std::int64_t total = account_of("deepseek-v3.2").total;
  CHECK(total == account_of("deepseek-v3").total + 61 * indexer);
}

TEST_CASE("parameters: the case's two models, whose attention has no terms") {
  // 1200 · 128 + 64 · 128 + 2 · (4 · 128² + 2 · 128 · 256 + 256 + 128 + 4 · 128) + 2 · 128.
  const auto own = [](const std::string& sizes) {
    return account_or_fail(parse_config(R"({"model_type": "gpt2", "n_layer": 2, "vocab_size": 1200,
        "n_positions": 64, "attention_bias": false, )" +
                                        sizes + "}"))
        .total;
  };
  CHECK(own(R"("n_head": 4, "n_embd": 128, "n_inner": 256)") == 425984);
  CHECK(own(R"("n_head": 1, "n_embd": 256, "n_inner": 512)") == 1376256);
}

TEST_CASE("parameters: the tensors add up, and each is the product of its numbers") {
  for (const std::string& name : model_names()) {
    const auto result = read_parameters(model_config(name));
    const auto* account = std::get_if<ParameterAccount>(&result);
    if (account == nullptr) continue;
    INFO(name);
    std::int64_t sum = 0;
    for (const ParameterTensor& tensor : account->tensors) {
      sum += tensor.count;
      const std::int64_t layers = std::max<std::int64_t>(tensor.layers, 1);
      CHECK(tensor.count == layers * tensor.each * tensor.rows * tensor.columns);
    }
    CHECK(sum == account->total);
  }
}

TEST_CASE("parameters: what is not counted is refused by its key") {
  const auto refused = [](const ConfigValue& config) {
    const auto result = read_parameters(config);
    const auto* refusal = std::get_if<Refusal>(&result);
    return refusal == nullptr ? "accepted"
                              : std::string(name(refusal->reason)) + " " + refusal->field;
  };
  CHECK(refused(model_config("qwen3-next-80b-a3b")) == "uncounted layer_types");
  CHECK(refused(model_config("falcon-7b")) == "uncounted model_type");
  CHECK(refused(model_config("deepseek-llm-67b")) == "not_stated hidden_size");
  CHECK(refused(parse_config(R"({"model_type": "bert", "hidden_size": 768})")) ==
        "encoder_only model_type");
  // Beyond 2⁵³ a count would no longer be exact in a page.
  CHECK(refused(parse_config(R"({"num_hidden_layers": 1, "num_attention_heads": 1,
      "hidden_size": 1000000000, "vocab_size": 1000000000, "intermediate_size": 1})")) ==
        "uncounted hidden_size");
}

#include "core/gpt/gpt.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>

#include "core/rng.h"
#include "tests/core/gpt/reference_gpt.h"

using attn::AttentionKind;
using attn::GptConfig;

namespace {

constexpr AttentionKind kKinds[] = {
    AttentionKind::kScaled,           AttentionKind::kUnscaled,
    AttentionKind::kHiddenAsZero,     AttentionKind::kScaledAfterSoftmax,
    AttentionKind::kNoMaxSubtraction, AttentionKind::kDividedByWidth};

/// Sizes that are not multiples of a vector or a tile, and two sequences shorter than the block.
struct Case {
  GptConfig config{7, 6, 2, 2, 6, 10, AttentionKind::kScaled};
  std::vector<std::vector<int>> tokens{{1, 3, 3, 0, 6}, {2, 5, 1, 1, 4}};
  std::vector<std::vector<int>> targets{{3, 3, 0, 6, 2}, {5, 1, 1, 4, 0}};
  std::string form;

  explicit Case(AttentionKind kind) { config.attention = kind; }

  static std::vector<int> joined(const std::vector<std::vector<int>>& rows) {
    std::vector<int> all;
    for (const auto& row : rows) all.insert(all.end(), row.begin(), row.end());
    return all;
  }

  /// A model whose parameters all differ from their initial values, so that no test runs at 0 or 1.
  template <class T>
  attn::Gpt<T> model() const {
    attn::Gpt<T> gpt(config, 5);
    attn::Rng rng(5, 9);
    for (T& parameter : gpt.parameters()) {
      parameter = static_cast<T>(static_cast<double>(parameter) + 0.3 * rng.normal());
    }
    return gpt;
  }

  template <class T>
  double loss(const attn::Gpt<T>& gpt) {
    attn::Workers workers(1);
    attn::Activations<T> a(config, 2, 5);
    gpt.forward(joined(tokens), a, workers);
    return gpt.loss(joined(targets), a, workers, false);
  }

  template <class T>
  std::vector<T> gradient(const attn::Gpt<T>& gpt) {
    attn::Workers workers(1);
    attn::Activations<T> a(config, 2, 5);
    attn::BackwardScratch<T> scratch(config, a);
    std::vector<T> gradient(gpt.parameters().size());
    gpt.forward(joined(tokens), a, workers);
    gpt.loss(joined(targets), a, workers, true);
    gpt.backward(joined(tokens), a, scratch, gradient, workers);
    return gradient;
  }
};

/// The model of the course with each kind of attention, and scaled with each part left out.
std::vector<Case> all_forms() {
  std::vector<Case> all;
  const auto add = [&](AttentionKind kind, const char* form) -> attn::GptParts& {
    all.emplace_back(kind);
    all.back().form = form;
    return all.back().config.parts;
  };
  for (const AttentionKind kind : kKinds) {
    add(kind, attn::names<AttentionKind>[static_cast<std::size_t>(kind)].data());
  }
  add(AttentionKind::kScaled, "no residual").residual = false;
  add(AttentionKind::kScaled, "no LayerNorm").layer_norm = false;
  add(AttentionKind::kScaled, "untied output").tied_output = false;
  add(AttentionKind::kScaled, "no positions").positions = false;
  attn::GptParts& none = add(AttentionKind::kScaled, "none of them");
  none.residual = none.layer_norm = none.tied_output = none.positions = false;
  return all;
}

/// Largest difference divided by the largest entry of a tensor.
template <class A, class B>
double relative_error(const attn::Tensor& tensor, const A& got, const B& expected) {
  double off = 0, size = 0;
  for (std::size_t i = tensor.offset; i < tensor.offset + tensor.size(); ++i) {
    off = std::max(off, std::abs(static_cast<double>(got[i]) - static_cast<double>(expected[i])));
    size = std::max(size, std::abs(static_cast<double>(expected[i])));
  }
  return off / size;
}

}  // namespace

TEST_CASE("GPT: loss and gradient of every tensor are the slow reference's, for all forms") {
  for (Case& test : all_forms()) {
    const auto gpt = test.model<double>();
    const auto gradient = test.gradient(gpt);
    std::vector<reference::Dual> flat(gpt.parameters().begin(), gpt.parameters().end());
    std::vector<double> expected;
    for (std::size_t i = 0; i < flat.size(); ++i) {
      flat[i].slope = 1;
      const auto loss = reference::loss(test.config, reference::Parameters(test.config, flat),
                                        test.tokens, test.targets);
      flat[i].slope = 0;
      expected.push_back(loss.slope);
      if (i == 0) CHECK(test.loss(gpt) == doctest::Approx(loss.value).epsilon(1e-12));
    }
    for (const attn::Tensor& tensor : gpt.layout().tensors()) {
      CAPTURE(tensor.name);
      CAPTURE(test.form);
      CHECK(relative_error(tensor, gradient, expected) < 1e-10);
    }
  }
}

TEST_CASE("GPT: gradient of every tensor agrees with central differences") {
  // Error of (f(x + h) − f(x − h))/2h at h = 1e−5: h² f'''/6 ≈ 1e−10 and rounding 1e−16/h = 1e−11.
  for (Case& test : all_forms()) {
    auto gpt = test.model<double>();
    const auto gradient = test.gradient(gpt);
    std::vector<double> expected;
    for (double& parameter : gpt.parameters()) {
      const double before = parameter, h = 1e-5;
      parameter = before + h;
      const double above = test.loss(gpt);
      parameter = before - h;
      const double below = test.loss(gpt);
      parameter = before;
      expected.push_back((above - below) / (2 * h));
    }
    for (const attn::Tensor& tensor : gpt.layout().tensors()) {
      CAPTURE(tensor.name);
      CAPTURE(test.form);
      CHECK(relative_error(tensor, gradient, expected) < 1e-6);
    }
  }
}

TEST_CASE("GPT: float agrees with double to 1e-4") {
  for (const AttentionKind kind : kKinds) {
    Case test(kind);
    const auto exact = test.model<double>();
    attn::Gpt<float> gpt(test.config, 5);
    for (std::size_t i = 0; i < gpt.parameters().size(); ++i) {
      gpt.parameters()[i] = static_cast<float>(exact.parameters()[i]);
    }
    CHECK(test.loss(gpt) == doctest::Approx(test.loss(exact)).epsilon(1e-5));
    const auto got = test.gradient(gpt);
    const auto expected = test.gradient(exact);
    for (const attn::Tensor& tensor : gpt.layout().tensors()) {
      CAPTURE(tensor.name);
      CHECK(relative_error(tensor, got, expected) < 1e-4);
    }
  }
}

TEST_CASE("GPT: the number of threads changes no bit") {
  Case test(AttentionKind::kScaled);
  const auto gpt = test.model<float>();
  const auto one = test.gradient(gpt);
  for (const int threads : {2, 3, 7}) {
    attn::Workers crew(threads);
    attn::Activations<float> a(test.config, 2, 5);
    attn::BackwardScratch<float> scratch(test.config, a);
    std::vector<float> gradient(one.size());
    gpt.forward(Case::joined(test.tokens), a, crew);
    gpt.loss(Case::joined(test.targets), a, crew, true);
    gpt.backward(Case::joined(test.tokens), a, scratch, gradient, crew);
    CHECK(gradient == one);
  }
}

TEST_CASE("GPT: parameters of the case study, by parts") {
  // Small: 1200·128, 64·128, 2·4·128², 2·(2·128·256 + 256 + 128), 2·4·128, 2·128.
  const auto small = attn::count_parameters(attn::small_case(AttentionKind::kScaled));
  CHECK(small.token_embedding == 153600);
  CHECK(small.position_embedding == 8192);
  CHECK(small.attention == 131072);
  CHECK(small.feed_forward == 131840);
  CHECK(small.layer_norms == 1024);
  CHECK(small.final_norm == 256);
  CHECK(small.total == 425984);
  const auto large = attn::count_parameters(attn::large_case(AttentionKind::kScaled));
  CHECK(large.total == 1376256);
  for (const auto& config :
       {attn::small_case(AttentionKind::kUnscaled), attn::large_case(AttentionKind::kUnscaled),
        Case(AttentionKind::kScaled).config}) {
    CHECK(attn::ParameterLayout(config).size() == attn::count_parameters(config).total);
  }
}

TEST_CASE("GPT: parameters of the small model without a part") {
  // 425,984 without 64·128 positions; without 2·4·128 + 2·128 gains and biases; with 1200·128 more.
  GptConfig config = attn::small_case(AttentionKind::kScaled);
  const auto total = [&] {
    CHECK(attn::ParameterLayout(config).size() == attn::count_parameters(config).total);
    return attn::count_parameters(config).total;
  };
  config.parts.positions = false;
  CHECK(total() == 417792);
  config.parts = {};
  config.parts.layer_norm = false;
  CHECK(total() == 424704);
  config.parts = {};
  config.parts.tied_output = false;
  CHECK(total() == 579584);
  config.parts.residual = config.parts.zero_biases = config.parts.residual_start = false;
  CHECK(total() == 579584);
}

TEST_CASE("GPT: uniform biases fill ±1/√inputs, and leave every matrix as it was") {
  GptConfig config = attn::small_case(AttentionKind::kScaled);
  const attn::Gpt<double> zero(config, 1);
  config.parts.zero_biases = false;
  const attn::Gpt<double> uniform(config, 1);
  for (const attn::Tensor& tensor : uniform.layout().tensors()) {
    CAPTURE(tensor.name);
    const auto values = uniform.parameters().subspan(tensor.offset, tensor.size());
    if (tensor.start != attn::Tensor::Start::kUniform) {
      CHECK(std::ranges::equal(values, zero.parameters().subspan(tensor.offset, tensor.size())));
      continue;
    }
    // up.bias follows a matrix of 128 rows, down.bias one of 256. The largest of n ≥ 128 uniform
    // numbers lies below 0.9 of the limit with probability 0.9^128 = 1e−6.
    const double most = 1 / std::sqrt(tensor.name.ends_with("up.bias") ? 128.0 : 256.0);
    const auto [low, high] = std::ranges::minmax(values);
    CHECK(low >= -most);
    CHECK(high <= most);
    CHECK(low < -0.9 * most);
    CHECK(high > 0.9 * most);
  }
  config.parts.residual_start = false;
  const attn::Gpt<double> wide(config, 1);
  const std::size_t at = wide.layout().layers[1].down;  // √(2·2) = 2 times as wide
  CHECK(wide.parameters()[at] == doctest::Approx(2 * zero.parameters()[at]).epsilon(1e-12));
}

TEST_CASE("GPT: parameters start with their deviation, residual outputs with 0.02/√(2·2) = 0.01") {
  const attn::Gpt<double> gpt(attn::small_case(AttentionKind::kScaled), 1);
  for (const attn::Tensor& tensor : gpt.layout().tensors()) {
    CAPTURE(tensor.name);
    const auto values = gpt.parameters().subspan(tensor.offset, tensor.size());
    double sum = 0, squares = 0;
    for (const double value : values) {
      sum += value;
      squares += value * value;
    }
    const double n = static_cast<double>(values.size());
    if (tensor.rows == 1) {
      const double expected = tensor.name.ends_with("gain") ? 1 : 0;
      CHECK(sum == expected * n);
      CHECK(squares == expected * n);
    } else {
      // Standard errors σ/√n of the mean and σ/√(2n) of the deviation; five of them.
      const bool residual = tensor.name.ends_with("project") || tensor.name.ends_with("down");
      const double sigma = residual ? 0.01 : 0.02;
      CHECK(std::abs(sum / n) < 5 * sigma / std::sqrt(n));
      CHECK(std::abs(std::sqrt(squares / n) - sigma) < 5 * sigma / std::sqrt(2 * n));
    }
  }
}

TEST_CASE("GPT: an ablated head adds nothing, as if its output were zero") {
  Case test(AttentionKind::kScaled);
  auto gpt = test.model<double>();
  attn::Workers workers(1);
  attn::Activations<double> whole(test.config, 2, 5);
  gpt.forward(Case::joined(test.tokens), whole, workers);
  const auto before = gpt.parameters();
  std::vector<double> project;
  for (int row = 3; row < 6; ++row) {
    for (int col = 0; col < 6; ++col) {
      project.push_back(
          before[gpt.layout().layers[0].project + static_cast<std::size_t>(row * 6 + col)]);
    }
  }
  gpt.ablate_head(0, 1);
  attn::Activations<double> ablated(test.config, 2, 5);
  gpt.forward(Case::joined(test.tokens), ablated, workers);
  // The difference is the head's output times its rows of the projection.
  for (std::size_t row = 0; row < 10; ++row) {
    for (std::size_t col = 0; col < 6; ++col) {
      double part = 0;
      for (std::size_t i = 0; i < 3; ++i) {
        part += whole.layers[0].heads[row * 6 + 3 + i] * project[i * 6 + col];
      }
      CHECK(whole.layers[0].middle[row * 6 + col] - ablated.layers[0].middle[row * 6 + col] ==
            doctest::Approx(part).epsilon(1e-9));
    }
  }
  CHECK_THROWS_WITH_AS(gpt.ablate_head(2, 0), "layer: expected 0 to 1, got 2",
                       std::invalid_argument);
  CHECK_THROWS_WITH_AS(gpt.ablate_head(0, -1), "head: expected 0 to 1, got -1",
                       std::invalid_argument);
}

TEST_CASE("GPT: bad configs and tokens are named") {
  GptConfig config = attn::small_case(AttentionKind::kScaled);
  config.n_heads = 3;
  CHECK_THROWS_WITH_AS(attn::Gpt<float>(config, 1),
                       "n_heads: expected a divisor of d_model = 128, got 3",
                       std::invalid_argument);
  config = attn::small_case(AttentionKind::kScaled);
  config.n_layers = 0;
  CHECK_THROWS_WITH_AS(attn::Gpt<float>(config, 1), "n_layers: expected 1 to 64, got 0",
                       std::invalid_argument);
  config.n_layers = 64;
  config.d_model = config.d_ff = 4096;
  CHECK_THROWS_AS(attn::Gpt<float>(config, 1), std::invalid_argument);

  Case test(AttentionKind::kScaled);
  const auto gpt = test.model<float>();
  CHECK_THROWS_WITH_AS(attn::Activations<float>(test.config, 1, 7),
                       "length: expected 1 to 6, got 7", std::invalid_argument);
  attn::Workers workers(1);
  attn::Activations<float> a(test.config, 1, 2);
  CHECK_THROWS_WITH_AS(gpt.forward(std::vector<int>{1, 7}, a, workers),
                       "tokens[1]: expected 0 to 6, got 7", std::invalid_argument);
  CHECK_THROWS_WITH_AS(gpt.forward(std::vector<int>{1}, a, workers),
                       "tokens: expected 2 ids, got 1", std::invalid_argument);
}

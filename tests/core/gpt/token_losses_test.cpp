#include "core/gpt/token_losses.h"

#include <doctest/doctest.h>

#include <cmath>
#include <stdexcept>

using attn::AttentionKind;
using attn::Gpt;

namespace {

const std::vector<int> kText = {3, 1, 4, 1, 5, 9};

/// An untrained model with weights so large that predictions differ.
Gpt<float> lively() {
  Gpt<float> gpt({15, 8, 2, 3, 12, 20, AttentionKind::kScaled}, 8);
  for (float& parameter : gpt.parameters()) parameter *= 8;
  return gpt;
}

/// −ln softmax(logits)[target], directly from the definition.
double loss_of(std::span<const float> logits, int target) {
  double sum = 0;
  for (const float logit : logits) sum += std::exp(static_cast<double>(logit));
  return std::log(sum) - static_cast<double>(logits[static_cast<std::size_t>(target)]);
}

}  // namespace

TEST_CASE("token losses: each is the loss of a token given only the tokens before it") {
  const auto gpt = lively();
  const auto losses = attn::token_losses(gpt, kText);
  REQUIRE(losses.size() == 5);
  attn::Workers workers(1);
  for (int n = 1; n < 6; ++n) {
    const auto i = static_cast<std::size_t>(n);
    attn::Activations<float> a(gpt.config(), 1, n);
    gpt.forward(std::span<const int>(kText).first(i), a, workers);
    // exp and its sum are in float: off by 1e-6 at most.
    CHECK(losses[i - 1] ==
          doctest::Approx(loss_of(std::span<const float>(a.logits).last(15), kText[i]))
              .epsilon(1e-5));
  }
}

TEST_CASE("token losses: without a head they are those of a model whose slice of W_O is zero") {
  const auto gpt = lively();
  auto zeroed = gpt;
  // Head 1 of layer 0 feeds rows 4 … 7 of the 12 of the projection.
  const auto at = gpt.layout().layers[0].project;
  for (std::size_t i = at + 4 * 12; i < at + 8 * 12; ++i) zeroed.parameters()[i] = 0;
  const auto without = attn::token_losses_without(gpt, kText, 0, 1);
  CHECK(without == attn::token_losses(zeroed, kText));
  CHECK(without != attn::token_losses(gpt, kText));
}

TEST_CASE("token losses: one token has none; bad arguments are named") {
  const auto gpt = lively();
  CHECK(attn::token_losses(gpt, std::vector<int>{3}).empty());
  CHECK_THROWS_WITH_AS(attn::token_losses(gpt, {}), "length: expected 1 to 8, got 0",
                       std::invalid_argument);
  CHECK_THROWS_WITH_AS(attn::token_losses(gpt, std::vector<int>(9)),
                       "length: expected 1 to 8, got 9", std::invalid_argument);
  CHECK_THROWS_WITH_AS(attn::token_losses_without(gpt, kText, 2, 0),
                       "layer: expected 0 to 1, got 2", std::invalid_argument);
  CHECK_THROWS_WITH_AS(attn::token_losses_without(gpt, kText, 0, 3), "head: expected 0 to 2, got 3",
                       std::invalid_argument);
}

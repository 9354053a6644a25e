#include "core/gpt/diagnostics.h"

#include <doctest/doctest.h>

#include <cmath>
#include <stdexcept>

using attn::AttentionKind;
using attn::GptConfig;

namespace {

/// diagnose() of one layer with these queries, keys and values.
struct Setup {
  GptConfig config;
  attn::Gpt<double> gpt;
  attn::Activations<double> a;

  Setup(AttentionKind kind, int length)
      : config{5, 8, 1, 2, 8, 4, kind}, gpt(config, 1), a(config, 1, length) {}

  attn::Diagnostics diagnose() {
    attn::Workers workers(1);
    std::vector<int> tokens;
    for (int i = 0; i < a.length; ++i) tokens.push_back(i % 5);
    gpt.forward(tokens, a, workers);
    return attn::diagnose(gpt, a, 0);
  }
};

}  // namespace

TEST_CASE("diagnostics: attention without a preference is uniform") {
  // With W = 0 all queries are 0 and row i has i + 1 weights 1/(i + 1): entropy 1, ‖J‖ = √(n − 1)/n
  // for n positions, diagonal 1/n.
  Setup setup(AttentionKind::kScaled, 4);
  for (std::size_t i = 0; i < 8 * 24; ++i) {
    setup.gpt.parameters()[setup.gpt.layout().layers[0].qkv + i] = 0;
  }
  const auto d = setup.diagnose();
  CHECK(d.entropy == doctest::Approx(1).epsilon(1e-12));
  CHECK(d.logit_deviation == 0);
  CHECK(d.jacobian_norm ==
        doctest::Approx((1.0 / 2 + std::sqrt(2.0) / 3 + std::sqrt(3.0) / 4) / 4).epsilon(1e-12));
  CHECK(d.diagonal == doctest::Approx((1 + 1.0 / 2 + 1.0 / 3 + 1.0 / 4) / 4).epsilon(1e-12));
  CHECK(d.largest_row_sum == doctest::Approx(1).epsilon(1e-12));
  CHECK(d.query_deviation == 0);
  CHECK(d.qkv_norm == 0);
}

TEST_CASE("diagnostics: logits are the inputs of softmax, over visible pairs only") {
  Setup setup(AttentionKind::kScaled, 5);
  for (double& parameter : setup.gpt.parameters()) parameter *= 20;
  const auto d = setup.diagnose();
  // A slow version computes them from the queries and keys of both heads of width 4.
  std::vector<double> logits, queries;
  for (int h = 0; h < 2; ++h) {
    for (int i = 0; i < 5; ++i) {
      for (int j = 0; j <= i; ++j) {
        double sum = 0;
        for (int c = 0; c < 4; ++c) {
          const auto& qkv = setup.a.layers[0].qkv;
          sum += qkv[static_cast<std::size_t>(i * 24 + h * 4 + c)] *
                 qkv[static_cast<std::size_t>(j * 24 + 8 + h * 4 + c)];
        }
        logits.push_back(sum / 2);
      }
    }
  }
  double mean = 0, variance = 0, largest = 0;
  for (const double x : logits) mean += x / 30;
  for (const double x : logits) {
    variance += (x - mean) * (x - mean) / 30;
    largest = std::max(largest, std::abs(x));
  }
  CHECK(d.logit_deviation == doctest::Approx(std::sqrt(variance)).epsilon(1e-10));
  CHECK(d.largest_logit == doctest::Approx(largest).epsilon(1e-12));
  CHECK_THROWS_WITH_AS(attn::diagnose(setup.gpt, setup.a, 1), "layer: expected 0 to 0, got 1",
                       std::invalid_argument);
}

TEST_CASE("diagnostics: rows scaled after softmax sum to 1/√d") {
  Setup setup(AttentionKind::kScaledAfterSoftmax, 5);
  CHECK(setup.diagnose().largest_row_sum == doctest::Approx(0.5).epsilon(1e-12));
}

TEST_CASE("diagnostics: where hidden scores are only set to 0 the first position spreads too") {
  Setup setup(AttentionKind::kHiddenAsZero, 6);
  const auto d = setup.diagnose();
  CHECK(d.entropy > 0.99);  // untrained: nearly uniform over all six
  CHECK(d.diagonal == doctest::Approx(1.0 / 6).epsilon(0.02));
}

TEST_CASE("portrait of a head worked by hand") {
  // Rows (1), (0.25, 0.75), (0.5, 0.5, 0).
  const std::vector<double> weights = {1, 0, 0, 0.25, 0.75, 0, 0.5, 0.5, 0};
  const auto head = attn::portrait(std::span<const double>(weights), 3);
  const double entropy1 = -(0.25 * std::log(0.25) + 0.75 * std::log(0.75)) / std::log(2.0);
  CHECK(head.entropy == doctest::Approx((entropy1 + std::log(2.0) / std::log(3.0)) / 2));
  CHECK(head.diagonal == doctest::Approx((1 + 0.75 + 0) / 3));
  CHECK(head.previous == doctest::Approx((0.25 + 0.5) / 2));
  CHECK(head.distance == doctest::Approx((0 + 0.25 + (0.5 * 2 + 0.5)) / 3));
}

TEST_CASE("portrait of a uniform head over 24 positions") {
  // Diagonal: mean of 1/n over n = 1 … 24 = 0.1573; previous over rows 1 … 23: mean of 1/n over
  // n = 2 … 24 = 0.1207; distance: mean of i/2 over i = 0 … 23 = 5.75.
  const auto head = attn::uniform_portrait(24);
  CHECK(head.entropy == doctest::Approx(1).epsilon(1e-12));
  CHECK(head.diagonal == doctest::Approx(0.1573).epsilon(1e-3));
  CHECK(head.previous == doctest::Approx(0.1207).epsilon(1e-3));
  CHECK(head.distance == doctest::Approx(5.75).epsilon(1e-12));
}

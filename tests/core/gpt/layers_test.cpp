#include <doctest/doctest.h>

#include <cmath>
#include <vector>

#include "core/gpt/adamw.h"
#include "core/gpt/cross_entropy.h"
#include "core/gpt/gelu.h"
#include "core/gpt/layer_norm.h"

// gpt_test.cpp tests the backward passes, tensor by tensor.

TEST_CASE("layer norm of 1, 2, 3, 6 by hand") {
  // Mean 3, variance (4 + 1 + 0 + 9)/4 = 3.5.
  const std::vector<double> x = {1, 2, 3, 6}, gain = {1, 1, 2, 2}, bias = {0, 0, 5, 1};
  std::vector<double> y(4), mean(1), scale(1);
  attn::layer_norm<double>(1, 4, x.data(), gain.data(), bias.data(), y.data(), mean.data(),
                           scale.data());
  const double s = 1 / std::sqrt(3.5 + 1e-5);
  CHECK(mean[0] == 3);
  CHECK(scale[0] == doctest::Approx(s).epsilon(1e-14));
  CHECK(y[0] == doctest::Approx(-2 * s).epsilon(1e-14));
  CHECK(y[2] == 5);
  CHECK(y[3] == doctest::Approx(3 * s * 2 + 1).epsilon(1e-14));
}

TEST_CASE("layer norm of a constant row is its bias, not a division by zero") {
  const std::vector<float> x(19, 4.0f), gain(19, 3.0f), bias(19, 0.5f);
  std::vector<float> y(19), mean(1), scale(1);
  attn::layer_norm<float>(1, 19, x.data(), gain.data(), bias.data(), y.data(), mean.data(),
                          scale.data());
  CHECK(y == bias);
}

TEST_CASE("GELU is the tanh formula, at both ends too") {
  const std::vector<double> inputs = {-1000, -30, -3, -1, -0.1, 0, 0.1, 1, 3, 30, 1000};
  const std::vector<double> bias(inputs.size(), 0);
  std::vector<double> x = inputs, y(x.size());
  attn::bias_gelu<double>(1, static_cast<int>(x.size()), bias.data(), x.data(), y.data());
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const double v = inputs[i];
    const double u = std::sqrt(2 / 3.14159265358979323846) * (v + 0.044715 * v * v * v);
    CHECK(std::abs(y[i] - 0.5 * v * (1 + std::tanh(u))) < 1e-14 * (1 + std::abs(v)));
  }
  std::vector<float> in = {-1000, -30, 0, 30, 1000}, out(5), zero(5), slope(5, 1);
  attn::bias_gelu<float>(1, 5, zero.data(), in.data(), out.data());
  attn::gelu_backward<float>(5, in.data(), slope.data());
  for (std::size_t i = 0; i < 5; ++i) {
    CHECK(out[i] == doctest::Approx(in[i] > 0 ? in[i] : 0).epsilon(1e-6));
    CHECK(slope[i] == doctest::Approx(in[i] > 0 ? 1 : in[i] < 0 ? 0 : 0.5).epsilon(1e-6));
  }
}

TEST_CASE("GELU adds its bias and keeps the sum for the backward pass") {
  std::vector<double> x = {1, 2, 3, 4}, y(4);
  const std::vector<double> bias = {10, 20};
  attn::bias_gelu<double>(2, 2, bias.data(), x.data(), y.data());
  CHECK(x == std::vector<double>{11, 22, 13, 24});
}

TEST_CASE("cross-entropy of logits ln 1, ln 2, ln 5 by hand") {
  // Probabilities 1/8, 2/8, 5/8; the loss of the last is ln 8 − ln 5.
  std::vector<double> logits = {0, std::log(2.0), std::log(5.0)};
  const int target = 2;
  double loss = 0;
  attn::cross_entropy<double>(1, 3, logits.data(), &target, &loss, 0.5, false);
  CHECK(loss == doctest::Approx(std::log(8.0 / 5)).epsilon(1e-14));
  CHECK(logits[0] == 0);
  attn::cross_entropy<double>(1, 3, logits.data(), &target, &loss, 0.5, true);
  CHECK(loss == doctest::Approx(std::log(8.0 / 5)).epsilon(1e-14));
  CHECK(logits[0] == doctest::Approx(0.5 / 8).epsilon(1e-14));
  CHECK(logits[1] == doctest::Approx(0.5 * 2 / 8).epsilon(1e-14));
  CHECK(logits[2] == doctest::Approx(0.5 * (5.0 / 8 - 1)).epsilon(1e-14));
}

TEST_CASE("cross-entropy is finite for huge logits and NaN for NaN") {
  std::vector<float> logits = {1e30f, -1e30f, 0};
  const int target = 1;
  double loss = 0;
  attn::cross_entropy<float>(1, 3, logits.data(), &target, &loss, 1, true);
  CHECK(loss == doctest::Approx(2e30));
  CHECK(logits == std::vector<float>{1, -1, 0});
  logits = {0, std::nanf(""), 0};
  attn::cross_entropy<float>(1, 3, logits.data(), &target, &loss, 1, true);
  CHECK(std::isnan(loss));
}

TEST_CASE("AdamW: two steps by hand") {
  // Constant gradient 2: m/(1 − β₁ᵗ) = 2 and v/(1 − β₂ᵗ) = 4 at every t, so a step is
  // rate · 2/(2 + ε) = rate; a matrix is first shrunk by rate · decay.
  const attn::AdamW settings;
  std::vector<double> p = {1, 1, 1}, g = {2, 2, 2}, m(3), v(3);
  attn::adamw<double>(3, p.data(), g.data(), m.data(), v.data(), settings, {0.1, 1, 0.1, 0.05},
                      true);
  CHECK(p[2] == doctest::Approx(1 * (1 - 0.1 * 0.1) - 0.1).epsilon(1e-8));
  CHECK(m[0] == doctest::Approx(0.2));
  CHECK(v[0] == doctest::Approx(0.2));
  attn::adamw<double>(3, p.data(), g.data(), m.data(), v.data(), settings,
                      {0.1, 1, 1 - 0.9 * 0.9, 1 - 0.95 * 0.95}, false);
  CHECK(p[2] == doctest::Approx(0.99 - 0.1 - 0.1).epsilon(1e-8));
}

TEST_CASE("AdamW: gradients are scaled before anything else") {
  const attn::AdamW settings;
  float p = 0, q = 0, m[2] = {}, v[2] = {};
  const float big = 8, small = 2;
  attn::adamw<float>(1, &p, &big, &m[0], &v[0], settings, {0.1, 0.25, 0.1, 0.05}, true);
  attn::adamw<float>(1, &q, &small, &m[1], &v[1], settings, {0.1, 1, 0.1, 0.05}, true);
  CHECK(p == q);
  CHECK(m[0] == m[1]);
  CHECK(v[0] == v[1]);
}

TEST_CASE("sum of squares of 1 … 20 is 2,870") {
  std::vector<float> x;
  for (int i = 1; i <= 20; ++i) x.push_back(static_cast<float>(i));
  CHECK(attn::sum_of_squares(20, x.data()) == 2870);
}

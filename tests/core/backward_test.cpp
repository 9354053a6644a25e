#include "core/backward.h"

#include <doctest/doctest.h>

#include <cmath>
#include <stdexcept>

#include "core/mask.h"
#include "core/normal_matrix.h"

using attn::attention_backward;
using attn::Matrix;
using attn::normal_matrix;

namespace {

/// Central differences of L = Σ d_output ∘ output by every number of `x`.
template <class Loss>
Matrix differences(Matrix& x, const Loss& loss) {
  constexpr double h = 1e-5;
  Matrix gradient(x.rows(), x.cols());
  for (Eigen::Index i = 0; i < x.size(); ++i) {
    const double kept = x.data()[i];
    x.data()[i] = kept + h;
    const double above = loss();
    x.data()[i] = kept - h;
    gradient.data()[i] = (above - loss()) / (2 * h);
    x.data()[i] = kept;
  }
  return gradient;
}

}  // namespace

TEST_CASE("backward: two keys worked by hand") {
  // q·k = (1, 0) unscaled, so P = (e, 1)/(e + 1) = (p, r). With V = (10), (20) and dO = 1:
  // dV = P, dP = (10, 20), Σ dP P = 10 p + 20 r, dS = p r (−10, 10), dQ = dS K = p r (−10, 0) for
  // K = (1, 0), (0, 0), and dK = dSᵀ Q.
  const Matrix q{{1, 0}}, k{{1, 0}, {0, 0}}, v{{10}, {20}};
  const auto trace = attention_backward(q, k, v, attn::no_mask(1, 2), false, Matrix{{1}});
  const double p = std::exp(1.0) / (std::exp(1.0) + 1), r = 1 - p;
  CHECK(trace.d_values(0, 0) == doctest::Approx(p));
  CHECK(trace.d_values(1, 0) == doctest::Approx(r));
  CHECK(trace.d_weights == Matrix{{10, 20}});
  CHECK(trace.row_dots[0] == doctest::Approx(10 * p + 20 * r));
  CHECK(trace.d_scores(0, 0) == doctest::Approx(-10 * p * r));
  CHECK(trace.d_scores(0, 1) == doctest::Approx(10 * p * r));
  CHECK(trace.d_queries(0, 0) == doctest::Approx(-10 * p * r));
  CHECK(trace.d_queries(0, 1) == 0);
  CHECK(trace.d_keys(0, 0) == doctest::Approx(-10 * p * r));
  CHECK(trace.d_keys(1, 0) == doctest::Approx(10 * p * r));
}

TEST_CASE("backward: all gradients agree with central differences") {
  attn::Rng rng(14);
  for (const bool scaled : {false, true}) {
    for (const bool causal : {false, true}) {
      Matrix q = normal_matrix(3, 4, 1, rng), k = normal_matrix(3, 4, 1, rng);
      Matrix v = normal_matrix(3, 5, 1, rng);
      const Matrix d_output = normal_matrix(3, 5, 1, rng);
      const Matrix mask = causal ? attn::causal_mask(3) : attn::no_mask(3, 3);
      const auto trace = attention_backward(q, k, v, mask, scaled, d_output);
      const auto loss = [&] {
        return attn::attention(q, k, v, mask, scaled).output.cwiseProduct(d_output).sum();
      };
      // Error h² L‴/6 ≈ 1e−10 and rounding 1e−16 · L/h ≈ 1e−10.
      CHECK((trace.d_values - differences(v, loss)).cwiseAbs().maxCoeff() < 1e-8);
      CHECK((trace.d_queries - differences(q, loss)).cwiseAbs().maxCoeff() < 1e-8);
      CHECK((trace.d_keys - differences(k, loss)).cwiseAbs().maxCoeff() < 1e-8);
      // A constant added to a row of scores changes nothing, so each row of dS sums to 0.
      CHECK(trace.d_scores.rowwise().sum().cwiseAbs().maxCoeff() < 1e-15 * 100);
      if (causal) {
        CHECK(trace.d_scores(0, 1) == 0);
        CHECK(trace.d_scores(0, 0) == doctest::Approx(0));
      }
    }
  }
}

TEST_CASE("backward: central differences hold the formulas to the stated tolerance, at any size") {
  attn::Rng rng(51);
  const Matrix mask = attn::no_mask(3, 3);
  for (int round = 0; round < 200; ++round) {
    // From almost flat rows to rows with one weight, and at the ends of the range.
    const double size = round % 4 == 0 ? 4 : 0.1 * (1 + round % 40);
    Matrix m[4];
    for (Matrix& each : m) {
      each = normal_matrix(3, 4, size, rng).cwiseMax(-4).cwiseMin(4);
      if (round % 8 == 0) each = each.cwiseSign() * 4;
    }
    const auto trace = attention_backward(m[0], m[1], m[2], mask, true, m[3]);
    const auto check = attn::check_gradients(m[0], m[1], m[2], mask, true, m[3], trace);
    CHECK(check.queries_error < check.tolerance);
    CHECK(check.keys_error < check.tolerance);
    CHECK(check.values_error < check.tolerance);
  }
}

TEST_CASE("backward: differences find a term that is left out, and only where it acts") {
  // One query (1, 0) and keys (1, 0), (0, 0): P = (p, r). With V = (10), (20) and dO = 1 the row
  // p r (−10, 10) of dS becomes (10 p, 20 r) without the mean, so dQ is off by 10 p (1 + r).
  const Matrix q{{1, 0}}, k{{1, 0}, {0, 0}}, v{{10}, {20}}, d_output{{1}};
  const Matrix mask = attn::no_mask(1, 2);
  const double root = std::sqrt(2.0), p = 1 / (1 + std::exp(-1 / root)), r = 1 - p;
  const auto of = [&](attn::LeftOut left_out) {
    const auto trace = attention_backward(q, k, v, mask, true, d_output, left_out);
    return attn::check_gradients(q, k, v, mask, true, d_output, trace);
  };
  const auto right = of(attn::LeftOut::kNothing);
  CHECK(right.d_queries(0, 0) == doctest::Approx(-10 * p * r / root));
  CHECK(right.d_values(1, 0) == doctest::Approx(r));
  CHECK(right.queries_error < right.tolerance);
  const auto no_mean = of(attn::LeftOut::kMean);
  CHECK(no_mean.queries_error == doctest::Approx((10 * p + 10 * p * r) / root));
  CHECK(no_mean.values_error < no_mean.tolerance);
  const auto no_scale = of(attn::LeftOut::kScale);
  CHECK(no_scale.queries_error == doctest::Approx(10 * p * r * (1 - 1 / root)));
  CHECK(no_scale.values_error < no_scale.tolerance);
}

TEST_CASE("backward: a gradient of another shape is refused by name") {
  const Matrix x{{1, 2}, {3, 4}};
  CHECK_THROWS_WITH_AS(attention_backward(x, x, x, attn::no_mask(2, 2), true, Matrix{{1, 2}}),
                       "d_output: expected (2, 2), got (1, 2)", std::invalid_argument);
  CHECK_THROWS_AS(attention_backward(x, x, x, attn::no_mask(2, 2), true, Matrix{{1, NAN}, {0, 0}}),
                  std::invalid_argument);
}

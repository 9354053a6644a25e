#include "core/latent.h"

#include <doctest/doctest.h>

#include <cmath>
#include <stdexcept>
#include <vector>

#include "core/normal_matrix.h"
#include "core/rng.h"

using attn::latent_scores;
using attn::Matrix;
using attn::normal_matrix;
using Vector = std::vector<double>;

TEST_CASE("one number kept for two: worked by hand") {
  // Keys 3·(1, 2) and −1·(1, 2); query (4, 5): 3·14 and −14. Folded query 4·1 + 5·2 = 14.
  Matrix latents(2, 1), up(1, 2);
  latents << 3, -1;
  up << 1, 2;
  const auto scores = latent_scores(Vector{4, 5}, latents, up, 0, 10000);
  CHECK(scores.expanded == Vector{42, -14});
  CHECK(scores.each == Vector{42, -14});
  CHECK(scores.once == Vector{42, -14});
  CHECK(scores.folded(0, 0) == 14);
  CHECK(scores.folded(1, 0) == 14);
  CHECK(scores.keys(1, 1) == -2);
}

TEST_CASE("one pair turning: worked by hand") {
  // up = (1, 0), latents 1, 1: keys at positions 0 and 1 are (1, 0) and (cos 1, sin 1); the query
  // (1, 0) at position 1 is (cos 1, sin 1). Scores cos 1 and 1: the cosine of the distance.
  Matrix latents(2, 1), up(1, 2);
  latents << 1, 1;
  up << 1, 0;
  const auto scores = latent_scores(Vector{1, 0}, latents, up, 2, 10000);
  CHECK(scores.expanded[0] == doctest::Approx(std::cos(1.0)).epsilon(1e-15));
  CHECK(scores.expanded[1] == doctest::Approx(1).epsilon(1e-15));
  CHECK(scores.folded(0, 0) == doctest::Approx(std::cos(1.0)).epsilon(1e-15));
  CHECK(scores.folded(1, 0) == 1);
  CHECK(scores.once_error == doctest::Approx(1 - std::cos(1.0)).epsilon(1e-14));
  CHECK(scores.each_error < 1e-15);
}

TEST_CASE(
    "without rotation one folded vector serves all latents; with it, each distance needs its own") {
  attn::Rng rng(20261014);
  for (int round = 0; round < 50; ++round) {
    const Matrix latents = normal_matrix(9, 5, 1, rng), up = normal_matrix(5, 8, 1, rng);
    const Matrix q = normal_matrix(1, 8, 1, rng);
    const Vector query(q.data(), q.data() + 8);
    const auto still = latent_scores(query, latents, up, 0, 10000);
    CHECK(still.once_error < 1e-13);
    CHECK(still.each_error < 1e-13);
    for (Eigen::Index j = 1; j < 9; ++j) CHECK(still.folded.row(j) == still.folded.row(0));
    const auto turning = latent_scores(query, latents, up, 8, 10000);
    CHECK(turning.each_error < 1e-13);
    CHECK(turning.once_error > 0.1);
    for (Eigen::Index j = 1; j < 9; ++j) CHECK(turning.folded.row(j) != turning.folded.row(j - 1));
  }
}

TEST_CASE("latents refuse by name") {
  Matrix latents(1, 2), up(2, 2);
  latents << 1, 2;
  up << 1, 0, 0, 1;
  CHECK_THROWS_WITH_AS(latent_scores(Vector{1}, latents, up, 0, 10000),
                       "query: expected 2 numbers, got 1", std::invalid_argument);
  CHECK_THROWS_AS(latent_scores(Vector{1, NAN}, latents, up, 0, 10000), std::invalid_argument);
  CHECK_THROWS_AS(latent_scores(Vector{1, 2}, Matrix(0, 2), up, 0, 10000), std::invalid_argument);
  CHECK_THROWS_AS(latent_scores(Vector{1, 2}, Matrix::Ones(1, 3), up, 0, 10000),
                  std::invalid_argument);
  CHECK_THROWS_AS(latent_scores(Vector{1, 2}, latents, up, 3, 10000), std::invalid_argument);
}

TEST_CASE("sizes of a cached token") {
  // DeepSeek-V3: 128 heads of 128 are 16,384 keys and as many values; 512 and 64 rotated are kept,
  // 576 ÷ 32,768 = 9 ÷ 512.
  const auto sizes = attn::latent_sizes(128, 128, 512, 64);
  CHECK(sizes.keys == 16384);
  CHECK(sizes.whole == 32768);
  CHECK(sizes.kept == 576);
  CHECK(sizes.share == 9.0 / 512);
  CHECK(attn::latent_sizes(1, 1, 1, 0).kept == 1);
  CHECK_THROWS_WITH_AS(attn::latent_sizes(0, 1, 1, 0), "heads: expected at least 1, got 0",
                       std::invalid_argument);
  CHECK_THROWS_WITH_AS(attn::latent_sizes(1, 1, 1, -1), "rope: expected at least 0, got -1",
                       std::invalid_argument);
}

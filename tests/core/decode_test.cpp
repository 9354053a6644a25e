#include "core/decode.h"

#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "core/bits.h"
#include "core/mask.h"
#include "core/multi_head.h"
#include "core/product.h"
#include "core/rng.h"
#include "tests/core/model_files.h"

using attn::decode;
using attn::Decoder;
using attn::DecodeStep;
using attn::Matrix;

namespace {

/// Equal numbers may differ in their bits: −0 and 0 do.
bool same_bits(const Matrix& a, const Matrix& b) {
  if (a.rows() != b.rows() || a.cols() != b.cols()) return false;
  for (Eigen::Index i = 0; i < a.size(); ++i) {
    if (attn::bit_cast<std::uint64_t>(a.data()[i]) != attn::bit_cast<std::uint64_t>(b.data()[i])) {
      return false;
    }
  }
  return true;
}

Matrix matrix_of(const nlohmann::json& rows) {
  Matrix matrix(static_cast<Eigen::Index>(rows.size()),
                static_cast<Eigen::Index>(rows.at(0).size()));
  for (Eigen::Index i = 0; i < matrix.rows(); ++i) {
    for (Eigen::Index j = 0; j < matrix.cols(); ++j) {
      matrix(i, j) = rows.at(static_cast<std::size_t>(i)).at(static_cast<std::size_t>(j));
    }
  }
  return matrix;
}

struct World {
  Matrix tokens;
  Decoder decoder;
};

World teaching_world(int layers) {
  const auto file =
      nlohmann::json::parse(attn::read_project_file("lessons/data/teaching-world.json"));
  return {matrix_of(file.at("embeddings")),
          {matrix_of(file.at("W_Q")), matrix_of(file.at("W_K")), matrix_of(file.at("W_V")),
           matrix_of(file.at("W_O")), file.at("n_heads"), layers}};
}

/// Computes all tokens in one pass without a cache, as in training.
Matrix whole(const Matrix& tokens, const Decoder& decoder) {
  Matrix x = tokens;
  for (int layer = 0; layer < decoder.layers; ++layer) {
    const Matrix heads =
        attn::multi_head_attention(attn::product(x, decoder.w_q), attn::product(x, decoder.w_k),
                                   attn::product(x, decoder.w_v), attn::causal_mask(x.rows()),
                                   decoder.heads, true)
            .output;
    x = attn::product(heads, decoder.w_o);
  }
  return x;
}

Decoder random_decoder(Eigen::Index d, int heads, int layers, attn::Rng& rng) {
  Decoder decoder{Matrix(d, d), Matrix(d, d), Matrix(d, d), Matrix(d, d), heads, layers};
  for (Matrix* m : {&decoder.w_q, &decoder.w_k, &decoder.w_v, &decoder.w_o}) {
    for (Eigen::Index i = 0; i < m->size(); ++i) m->data()[i] = rng.normal();
  }
  return decoder;
}

int computed(const std::vector<DecodeStep>& steps) {
  int sum = 0;
  for (const DecodeStep& step : steps) sum += step.computed;
  return sum;
}

int repeated(const std::vector<DecodeStep>& steps) {
  int sum = 0;
  for (const DecodeStep& step : steps) sum += step.repeated;
  return sum;
}

}  // namespace

TEST_CASE(
    "decode: with the cache and without it, every prefix of the teaching sentence gives the "
    "same bits") {
  for (const int layers : {1, 2, 3}) {
    const auto [tokens, decoder] = teaching_world(layers);
    REQUIRE(tokens.rows() == 5);
    for (int prompt = 1; prompt <= 5; ++prompt) {
      for (int generated = 1; prompt + generated - 1 <= 5; ++generated) {
        CAPTURE(layers);
        CAPTURE(prompt);
        CAPTURE(generated);
        const auto with = decode(tokens, decoder, {prompt, generated, true});
        const auto without = decode(tokens, decoder, {prompt, generated, false});
        REQUIRE(with.size() == static_cast<std::size_t>(generated));
        REQUIRE(without.size() == with.size());
        for (std::size_t i = 0; i < with.size(); ++i) {
          CHECK(same_bits(with[i].output, without[i].output));
          // The output also equals that of one pass over the whole prefix.
          const Matrix all = whole(tokens.topRows(with[i].known), decoder);
          CHECK(same_bits(with[i].output, all.bottomRows(1)));
        }
      }
    }
  }
}

TEST_CASE("decode: 2 tokens given and 3 generated take 2 + 3 + 4 computations, or 2 + 1 + 1") {
  const auto [tokens, decoder] = teaching_world(1);
  const auto without = decode(tokens, decoder, {2, 3, false});
  const auto with = decode(tokens, decoder, {2, 3, true});
  const int all[] = {2, 3, 4}, again[] = {0, 2, 3}, once[] = {2, 1, 1};
  for (std::size_t i = 0; i < 3; ++i) {
    const int known = static_cast<int>(i) + 2;
    CHECK(without[i].computed == all[i]);
    CHECK(without[i].repeated == again[i]);
    CHECK(with[i].computed == once[i]);
    CHECK(with[i].repeated == 0);
    for (const auto* steps : {&with, &without}) {
      CHECK((*steps)[i].known == known);
      // Indices start at 0: after 小明 把 the query is that of 把.
      CHECK((*steps)[i].asking == known - 1);
    }
  }
  CHECK(computed(without) == 9);
  CHECK(repeated(without) == 5);
  CHECK(computed(with) == 4);
}

TEST_CASE("decode: one token given, one generated, is one computation either way") {
  const auto [tokens, decoder] = teaching_world(1);
  for (const bool cached : {true, false}) {
    const auto steps = decode(tokens, decoder, {1, 1, cached});
    REQUIRE(steps.size() == 1);
    CHECK(steps[0].known == 1);
    CHECK(steps[0].computed == 1);
    CHECK(steps[0].repeated == 0);
    CHECK(steps[0].asking == 0);
  }
}

TEST_CASE("decode: the counts follow p·g + g(g − 1)/2 and p + g − 1") {
  attn::Rng rng(31);
  const Decoder decoder = random_decoder(2, 1, 1, rng);
  const Matrix tokens = Matrix::Ones(24, 2);
  for (const int p : {1, 2, 7, 12}) {
    for (const int g : {1, 2, 3, 12}) {
      const auto without = decode(tokens, decoder, {p, g, false});
      CHECK(computed(without) == p * g + g * (g - 1) / 2);
      CHECK(computed(decode(tokens, decoder, {p, g, true})) == p + g - 1);
      CHECK(repeated(without) == p * g + g * (g - 1) / 2 - (p + g - 1));
    }
  }
}

TEST_CASE("decode: worked by hand") {
  // Identity weights, one head, one layer. Token 0 sees itself alone. Token 1 = (0, 1) scores
  // (0, 1/√2) against (1, 0) and itself.
  const Matrix one = Matrix::Identity(2, 2);
  const Matrix tokens{{1, 0}, {0, 1}};
  const auto steps = decode(tokens, {one, one, one, one, 1, 1}, {1, 2, true});
  CHECK(steps[0].output == Matrix{{1, 0}});
  const double own = 1 / (1 + std::exp(-std::sqrt(0.5)));
  CHECK(steps[1].output(0, 0) == doctest::Approx(1 - own));
  CHECK(steps[1].output(0, 1) == doctest::Approx(own));
}

TEST_CASE("decode: random weights, heads and layers give the same bits both ways") {
  attn::Rng rng(32);
  for (const int heads : {1, 2, 4}) {
    for (const int layers : {1, 4}) {
      const Decoder decoder = random_decoder(8, heads, layers, rng);
      Matrix tokens(9, 8);
      for (Eigen::Index i = 0; i < tokens.size(); ++i) tokens.data()[i] = rng.normal();
      const auto with = decode(tokens, decoder, {3, 7, true});
      const auto without = decode(tokens, decoder, {3, 7, false});
      for (std::size_t i = 0; i < with.size(); ++i) {
        CHECK(same_bits(with[i].output, without[i].output));
      }
    }
  }
}

TEST_CASE("decode refuses by name") {
  const auto [tokens, decoder] = teaching_world(1);
  CHECK_THROWS_WITH_AS(decode(tokens, decoder, {0, 1, true}), "prompt: expected at least 1, got 0",
                       std::invalid_argument);
  CHECK_THROWS_WITH_AS(decode(tokens, decoder, {1, 0, true}),
                       "generated: expected at least 1, got 0", std::invalid_argument);
  CHECK_THROWS_WITH_AS(decode(tokens, decoder, {4, 3, true}),
                       "tokens: expected at least 6 rows, got 5", std::invalid_argument);
  CHECK_NOTHROW(decode(tokens, decoder, {4, 2, true}));  // the sixth token is only predicted
  Decoder narrow = decoder;
  narrow.w_v = Matrix::Identity(3, 3);
  CHECK_THROWS_WITH_AS(decode(tokens, narrow, {2, 3, true}), "w_v: expected (4, 4), got (3, 3)",
                       std::invalid_argument);
  Decoder flat = decoder;
  flat.layers = 0;
  CHECK_THROWS_AS(decode(tokens, flat, {2, 3, true}), std::invalid_argument);
  Decoder odd = decoder;
  odd.heads = 3;
  CHECK_THROWS_AS(decode(tokens, odd, {2, 3, true}), std::invalid_argument);
}

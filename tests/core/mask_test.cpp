#include "core/mask.h"

#include <doctest/doctest.h>

#include <stdexcept>
#include <vector>

using attn::kHidden;
using attn::Matrix;

TEST_CASE("the causal mask shows a token itself and its past, the self mask itself alone") {
  CHECK(attn::causal_mask(3) == Matrix{{0, kHidden, kHidden}, {0, 0, kHidden}, {0, 0, 0}});
  CHECK(attn::self_mask(2) == Matrix{{0, kHidden}, {kHidden, 0}});
  CHECK(attn::no_mask(2, 3) == Matrix{{0, 0, 0}, {0, 0, 0}});
  CHECK(attn::visible_keys(attn::causal_mask(3), 1) == 2);
}

TEST_CASE("a mask of the wrong shape, with other numbers or an empty row is refused") {
  CHECK_NOTHROW(attn::require_mask(attn::causal_mask(3), 3, 3));
  CHECK_THROWS_WITH_AS(attn::require_mask(Matrix{{0}}, 1, 2), "mask: expected (1, 2), got (1, 1)",
                       std::invalid_argument);
  CHECK_THROWS_WITH_AS(attn::require_mask(Matrix{{0, 1}}, 1, 2),
                       "mask(0, 1): expected 0 or -Infinity, got 1", std::invalid_argument);
  CHECK_THROWS_WITH_AS(attn::require_mask(Matrix{{0, 0}, {kHidden, kHidden}}, 2, 2),
                       "mask, row 1: expected at least one visible key, got none",
                       std::invalid_argument);
}

TEST_CASE(
    "a past mask hides the future, fillers, other sequences and what lies before the window") {
  using attn::kPadding;
  using attn::past_mask;
  const auto counts = [](const Matrix& mask) {
    std::vector<int> visible;
    for (Eigen::Index row = 0; row < mask.rows(); ++row) {
      visible.push_back(attn::visible_keys(mask, row));
    }
    return visible;
  };
  const int p = kPadding;
  using Counts = std::vector<int>;

  SUBCASE("without fillers and with a window over all it is the causal mask") {
    CHECK(past_mask({{0, 0, 0}, 3}) == attn::causal_mask(3));
  }
  SUBCASE("three tokens filled up to seven: on the right a filler sees the real ones before it") {
    CHECK(counts(past_mask({{0, 0, 0, p, p, p, p}, 7})) == Counts{1, 2, 3, 3, 3, 3, 3});
    CHECK(counts(past_mask({{0, 0, 0, p, p, p, p}, 7, false, false})) ==
          Counts{1, 2, 3, 0, 0, 0, 0});
  }
  SUBCASE("with fillers on the left, the fillers see no position") {
    CHECK(counts(past_mask({{p, p, p, p, 0, 0, 0}, 7})) == Counts{0, 0, 0, 0, 1, 2, 3});
  }
  SUBCASE("five and three packed in eight see only their own") {
    const std::vector<int> packed{0, 0, 0, 0, 0, 1, 1, 1};
    CHECK(counts(past_mask({packed, 8, true})) == Counts{1, 2, 3, 4, 5, 1, 2, 3});
    CHECK(counts(past_mask({packed, 8, false})) == Counts{1, 2, 3, 4, 5, 6, 7, 8});
  }
  SUBCASE("a window of w shows w positions: i − j < w") {
    CHECK(past_mask({{0, 0, 0, 0}, 2}) == Matrix{{0, kHidden, kHidden, kHidden},
                                                 {0, 0, kHidden, kHidden},
                                                 {kHidden, 0, 0, kHidden},
                                                 {kHidden, kHidden, 0, 0}});
    CHECK(past_mask({{0, 0, 0}, 1}) == attn::self_mask(3));
  }
  SUBCASE("inverted, the last row of the causal mask sees nothing") {
    CHECK(counts(past_mask({{0, 0, 0}, 3, false, true, true})) == Counts{2, 1, 0});
  }
  SUBCASE("bad rules are refused") {
    CHECK_THROWS_WITH_AS(past_mask({{}, 1}), "sequence: expected at least one position, got none",
                         std::invalid_argument);
    CHECK_THROWS_WITH_AS(past_mask({{0}, 0}), "window: expected at least 1, got 0",
                         std::invalid_argument);
  }
}

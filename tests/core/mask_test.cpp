#include "core/mask.h"

#include <doctest/doctest.h>

#include <stdexcept>

using attn::kHidden;
using attn::Matrix;

TEST_CASE("the causal mask shows a token itself and its past, the self mask itself alone") {
  CHECK(attn::causal_mask(3) == Matrix{{0, kHidden, kHidden}, {0, 0, kHidden}, {0, 0, 0}});
  CHECK(attn::self_mask(2) == Matrix{{0, kHidden}, {kHidden, 0}});
  CHECK(attn::no_mask(2, 3) == Matrix{{0, 0, 0}, {0, 0, 0}});
  CHECK(attn::visible_keys(attn::causal_mask(3), 1) == 2);
}

TEST_CASE("a mask of the wrong shape, with other numbers or a row with nothing to see is refused") {
  CHECK_NOTHROW(attn::require_mask(attn::causal_mask(3), 3, 3));
  CHECK_THROWS_WITH_AS(attn::require_mask(Matrix{{0}}, 1, 2), "mask: expected (1, 2), got (1, 1)",
                       std::invalid_argument);
  CHECK_THROWS_WITH_AS(attn::require_mask(Matrix{{0, 1}}, 1, 2),
                       "mask(0, 1): expected 0 or -Infinity, got 1", std::invalid_argument);
  CHECK_THROWS_WITH_AS(attn::require_mask(Matrix{{0, 0}, {kHidden, kHidden}}, 2, 2),
                       "mask, row 1: expected at least one visible key, got none",
                       std::invalid_argument);
}

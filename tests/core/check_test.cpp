#include "core/check.h"

#include <doctest/doctest.h>

#include <cstdint>
#include <limits>

namespace attn {

TEST_CASE("text_of gives whole numbers in full and six digits of others") {
  CHECK(text_of(0.0) == "0");
  CHECK(text_of(-7.0) == "-7");
  CHECK(text_of(9007199254740991.0) == "9007199254740991");  // 2^53 - 1
  CHECK(text_of(std::uint32_t{4294967295}) == "4294967295");
  CHECK(text_of(0.25) == "0.25");
  CHECK(text_of(-2.5) == "-2.5");
  CHECK(text_of(10.5) == "10.5");
  CHECK(text_of(1.0 / 3) == "0.333333");
  CHECK(text_of(2.0 / 3 * 1000) == "666.667");
  CHECK(text_of(0.00012) == "0.00012");
  CHECK(text_of(0.000012) == "1.2e-5");
  CHECK(text_of(1234567.8) == "1234570");
  CHECK(text_of(-1.5e300) == "-1.5e300");
  CHECK(text_of(1e20) == "1e20");
  CHECK(text_of(9.9999999) == "10");  // rounding up adds a digit
  CHECK(text_of(-std::numeric_limits<double>::infinity()) == "-Infinity");
  CHECK(text_of(std::numeric_limits<double>::quiet_NaN()) == "NaN");
}

}  // namespace attn

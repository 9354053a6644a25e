#include "core/position_table.h"

#include <doctest/doctest.h>

#include <stdexcept>
#include <vector>

using attn::add_table_rows;
using attn::Matrix;
using Vector = std::vector<double>;

TEST_CASE("every row gets the table's row of its position") {
  Matrix x(3, 2), table(2, 2);
  x << 1, 2, 3, 4, 5, 6;
  table << 10, 20, 30, 40;
  Matrix expected(3, 2);
  expected << 31, 42, 13, 24, 35, 46;
  CHECK(add_table_rows(x, table, Vector{1, 0, 1}) == expected);
}

TEST_CASE("a table of 64 rows has none for position 64") {
  const Matrix table = Matrix::Ones(64, 2);
  CHECK_NOTHROW(add_table_rows(Matrix::Zero(1, 2), table, Vector{63}));
  CHECK_THROWS_WITH_AS(add_table_rows(Matrix::Zero(2, 2), table, Vector{0, 64}),
                       "positions[1]: expected a row of the table, 0 to 63, got 64",
                       std::invalid_argument);
  CHECK_THROWS_AS(add_table_rows(Matrix::Zero(1, 2), table, Vector{-1}), std::invalid_argument);
  CHECK_THROWS_WITH_AS(add_table_rows(Matrix::Zero(1, 3), table, Vector{0}),
                       "table: expected 3 columns, got (64, 2)", std::invalid_argument);
}

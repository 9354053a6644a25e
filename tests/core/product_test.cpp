#include "core/product.h"

#include <doctest/doctest.h>

#include <cmath>
#include <stdexcept>
#include <vector>

#include "core/normal_matrix.h"
#include "core/rng.h"

using attn::Matrix;
using attn::product;
using attn::row_products;
using attn::row_scores;

namespace {

/// Numbers of very different sizes, so that sums in another order round differently.
Matrix uneven_matrix(Eigen::Index rows, Eigen::Index cols, attn::Rng& rng) {
  Matrix m(rows, cols);
  for (double& x : m.reshaped<Eigen::RowMajor>()) {
    x = std::ldexp(rng.normal(), static_cast<int>(rng.below(60)) - 30);
  }
  return m;
}

/// Σ_k x(i, k) w(k, j), one addition after the other.
double sum_in_order(const Matrix& x, const Matrix& w, Eigen::Index i, Eigen::Index j) {
  double sum = 0;
  for (Eigen::Index k = 0; k < x.cols(); ++k) sum += x(i, k) * w(k, j);
  return sum;
}

double sum_backwards(const Matrix& x, const Matrix& w, Eigen::Index i, Eigen::Index j) {
  double sum = 0;
  for (Eigen::Index k = x.cols() - 1; k >= 0; --k) sum += x(i, k) * w(k, j);
  return sum;
}

}  // namespace

TEST_CASE("a product by hand") {
  // Row 1: 1·5 + 2·7, 1·6 + 2·8.
  CHECK(product(Matrix{{1, 2}, {3, 4}}, Matrix{{5, 6}, {7, 8}}) == Matrix{{19, 22}, {43, 50}});
}

TEST_CASE("every element of a product is the sum over k in order, bit for bit") {
  attn::Rng rng(6);
  int elements = 0, order_matters = 0;
  for (int round = 0; round < 200; ++round) {
    const auto size = [&] { return static_cast<Eigen::Index>(1 + rng.below(70)); };
    const Eigen::Index rows = 1 + size() / 8, cols = 1 + size() / 8, inner = size();
    const Matrix x = uneven_matrix(rows, inner, rng), w = uneven_matrix(inner, cols, rng);
    const Matrix wt = w.transpose();
    const Matrix y = product(x, w);
    int wrong = 0;
    for (Eigen::Index i = 0; i < rows; ++i) {
      for (Eigen::Index j = 0; j < cols; ++j) {
        const double sum = sum_in_order(x, w, i, j);
        wrong += y(i, j) != sum;
        ++elements;
        order_matters += sum != sum_backwards(x, w, i, j);
      }
    }
    CHECK(wrong == 0);
    CHECK(product(x, wt.transpose()) == y);
  }
  // Otherwise the test above would prove nothing.
  CHECK(order_matters > elements / 2);
}

TEST_CASE("a product of zeros is 0, whatever their signs") {
  CHECK(!std::signbit(product(Matrix{{0}}, Matrix{{-1}})(0, 0)));
  CHECK(!std::signbit(product(Matrix{{0, 0}}, Matrix{{-1}, {-1}})(0, 0)));
  CHECK(!std::signbit(row_products(Matrix{{0, 0}}, Matrix{{-1, -1}}).front()));
}

TEST_CASE("Eigen's sums over a length known at run time are in order, bit for bit") {
  // The core uses sum(), rowwise().sum(), dot(), squaredNorm() and lazyProduct() where this order
  // is part of the result.
  attn::Rng rng(7);
  for (int round = 0; round < 200; ++round) {
    const auto n = static_cast<Eigen::Index>(1 + rng.below(90));
    const Matrix a = uneven_matrix(3, n, rng), b = uneven_matrix(3, n, rng);
    const Eigen::VectorXd u = a.row(1), v = b.row(1);
    double sum = 0, squares = 0, all_squares = 0;
    for (Eigen::Index k = 0; k < n; ++k) {
      sum += a(1, k);
      squares += a(1, k) * a(1, k);
    }
    for (const double x : a.reshaped<Eigen::RowMajor>()) all_squares += x * x;
    const double dot = sum_in_order(a, b.transpose(), 1, 1);
    CHECK(u.sum() == sum);
    CHECK(a.row(1).sum() == sum);
    CHECK(a.rowwise().sum()(1) == sum);
    CHECK(a.row(1).squaredNorm() == squares);
    CHECK(a.squaredNorm() == all_squares);
    CHECK(u.dot(v) == dot);
    CHECK(a.row(1).dot(b.row(1)) == dot);
    CHECK(row_products(a, b)[1] == dot);
    CHECK(Matrix(a.lazyProduct(b.transpose()))(1, 1) == dot);
  }
}

TEST_CASE("row products pair the rows") {
  const Matrix q{{1, 2}, {3, 4}}, k{{5, 6}, {-1, 0.5}};
  CHECK(row_products(q, k) == std::vector<double>{1 * 5 + 2 * 6, 3 * -1 + 4 * 0.5});
  CHECK_THROWS_WITH_AS(row_products(q, Matrix::Ones(1, 2)), "k: expected (2, 2), got (1, 2)",
                       std::invalid_argument);
}

TEST_CASE("row scores are row products over √d, whatever the number of columns") {
  // 17 and −1 over √16.
  CHECK(row_scores(Matrix{{1, 2}, {3, 4}}, Matrix{{5, 6}, {-1, 0.5}}, 16) ==
        std::vector<double>{17.0 / 4, -1.0 / 4});
  CHECK_THROWS_WITH_AS(row_scores(Matrix{{1}}, Matrix{{1}}, 0), "d: expected at least 1, got 0",
                       std::invalid_argument);
}

TEST_CASE("shapes that don't fit are named, with both shapes") {
  CHECK_THROWS_WITH_AS(product(Matrix{{1, 2}}, Matrix{{1, 2}}), "w: expected (2, 2), got (1, 2)",
                       std::invalid_argument);
  CHECK_THROWS_WITH_AS(product(Matrix(0, 2), Matrix{{1}, {2}}),
                       "x: expected at least one row and column, got (0, 2)",
                       std::invalid_argument);
}

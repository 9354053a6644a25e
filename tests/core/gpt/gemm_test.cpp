#include "core/gpt/gemm.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <vector>

#include "core/rng.h"

using attn::Causal;
using attn::View;

namespace {

template <class T>
std::vector<T> random_numbers(int n, std::uint64_t stream) {
  attn::Rng rng(11, stream);
  std::vector<T> numbers;
  for (int i = 0; i < n; ++i) numbers.push_back(static_cast<T>(rng.normal()));
  return numbers;
}

/// The definition as plain loops: blocks of 256, each from zero, their sums in order.
template <class T>
T element(int k, View<T> a, View<T> b, int i, int j, T start, bool add) {
  T total = start;
  for (int block = 0; block < k; block += 256) {
    T sum = 0;
    for (int p = block; p < std::min(k, block + 256); ++p) {
      const T product = a.data[i * a.row + p * a.col] * b.data[p * b.row + j * b.col];
      sum = sum + product;
    }
    total = block == 0 && !add ? sum : total + sum;
  }
  return total;
}

template <class T>
void check_all_elements(int m, int n, int k, bool a_transposed, bool b_transposed, bool add) {
  CAPTURE(m);
  CAPTURE(n);
  CAPTURE(k);
  const auto a_data = random_numbers<T>(m * k, 1), b_data = random_numbers<T>(k * n, 2);
  const View<T> a = a_transposed ? View<T>{a_data.data(), 1, m} : View<T>{a_data.data(), k, 1};
  const View<T> b = b_transposed ? View<T>{b_data.data(), 1, k} : View<T>{b_data.data(), n, 1};
  const int c_row = n + 3;  // a matrix that is part of a wider one
  const auto before = random_numbers<T>(m * c_row, 3);
  auto c = before;
  attn::multiply<T>(m, n, k, a, b, c.data(), c_row, add);
  bool equal = true;
  for (int i = 0; i < m; ++i) {
    for (int j = 0; j < c_row; ++j) {
      const auto at = static_cast<std::size_t>(i * c_row + j);
      equal = equal && c[at] == (j < n ? element<T>(k, a, b, i, j, before[at], add) : before[at]);
    }
  }
  CHECK(equal);
}

}  // namespace

TEST_CASE_TEMPLATE("product: every element is the defined sum, bit for bit", T, float, double) {
  // Around the edges of tiles (4, 6, 8, 16), of blocks of rows and columns, and of 256 steps.
  const int sizes[][3] = {{1, 1, 1},     {5, 7, 3},      {6, 16, 256}, {13, 33, 257},
                          {130, 19, 40}, {121, 17, 600}, {2, 530, 9},  {64, 64, 512}};
  for (const auto& size : sizes) {
    for (const bool add : {false, true}) {
      check_all_elements<T>(size[0], size[1], size[2], false, false, add);
      check_all_elements<T>(size[0], size[1], size[2], true, false, add);
      check_all_elements<T>(size[0], size[1], size[2], false, true, add);
    }
  }
}

TEST_CASE("product: rows computed separately equal the rows of the whole product") {
  const int m = 37, n = 50, k = 300;
  const auto a = random_numbers<float>(m * k, 1), b = random_numbers<float>(k * n, 2);
  std::vector<float> whole(m * n), parts(m * n);
  attn::multiply<float>(m, n, k, {a.data(), k, 1}, {b.data(), n, 1}, whole.data(), n);
  for (const auto& [begin, end] : {std::pair{0, 1}, {1, 12}, {12, 37}}) {
    attn::multiply<float>(end - begin, n, k, {a.data() + begin * k, k, 1}, {b.data(), n, 1},
                          parts.data() + begin * n, n);
  }
  CHECK(whole == parts);
}

TEST_CASE("product: leaving out the zeros of causal attention changes no bit") {
  for (const int t : {1, 5, 24, 64, 300}) {
    const int width = 19;
    auto lower = random_numbers<float>(t * t, 1);
    for (int i = 0; i < t; ++i) std::fill_n(lower.begin() + i * t + i + 1, t - i - 1, 0.0f);
    const auto x = random_numbers<float>(t * width, 2), y = random_numbers<float>(t * width, 3);
    const View<float> left{lower.data(), t, 1}, right{x.data(), width, 1};
    const View<float> other{y.data(), width, 1};

    std::vector<float> full(static_cast<std::size_t>(t * width)), short_cut = full;
    attn::multiply<float>(t, width, t, left, right, full.data(), width);
    attn::multiply<float>(t, width, t, left, right, short_cut.data(), width, false,
                          Causal::kLowerLeft);
    CHECK(full == short_cut);
    attn::multiply<float>(t, width, t, left.transposed(), right, full.data(), width);
    attn::multiply<float>(t, width, t, left.transposed(), right, short_cut.data(), width, false,
                          Causal::kUpperLeft);
    CHECK(full == short_cut);

    std::vector<float> square(static_cast<std::size_t>(t * t)), below = square;
    attn::multiply<float>(t, t, width, right, other.transposed(), square.data(), t);
    attn::multiply<float>(t, t, width, right, other.transposed(), below.data(), t, false,
                          Causal::kLowerResult);
    bool equal = true;
    for (int i = 0; i < t; ++i) {
      equal = equal && std::equal(square.begin() + i * t, square.begin() + i * t + i + 1,
                                  below.begin() + i * t);
    }
    CHECK(equal);
  }
}

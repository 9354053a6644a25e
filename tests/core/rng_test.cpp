#include "core/rng.h"

#include <doctest/doctest.h>

#include <cmath>
#include <vector>

TEST_CASE("xoshiro256++ gives the authors' numbers from the state 1, 2, 3, 4") {
  // Printed by the authors' xoshiro256plusplus.c.
  attn::Rng rng(std::array<std::uint64_t, 4>{1, 2, 3, 4});
  for (const std::uint64_t expected :
       {41943041ull, 58720359ull, 3588806011781223ull, 3591011842654386ull, 9228616714210784205ull,
        9973669472204895162ull, 14011001112246962877ull, 12406186145184390807ull,
        15849039046786891736ull, 10450023813501588000ull}) {
    CHECK(rng.next() == expected);
  }
}

TEST_CASE("a seed fills the state by SplitMix64") {
  // The first four numbers of the authors' splitmix64.c for this seed.
  attn::Rng seeded(1477776061723855037u);
  attn::Rng reference(std::array<std::uint64_t, 4>{1985237415132408290u, 2979275885539914483u,
                                                   13511426838097143398u, 8488337342461049707u});
  for (int i = 0; i < 8; ++i) CHECK(seeded.next() == reference.next());
}

TEST_CASE("streams of one seed differ from each other and from the seed's neighbours") {
  attn::Rng a(1), b(1, 1), c(1, 2), d(2);
  const std::uint64_t first[] = {a.next(), b.next(), c.next(), d.next()};
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < i; ++j) CHECK(first[i] != first[j]);
}

TEST_CASE("below: every value is equally frequent") {
  // 700,000 draws over 7: each count has mean 100,000 and standard deviation √(n p q) = 293.
  attn::Rng rng(3);
  std::vector<int> counts(7);
  for (int i = 0; i < 700000; ++i) ++counts.at(rng.below(7));
  for (const int count : counts) CHECK(std::abs(count - 100000) < 5 * 293);
  CHECK(attn::Rng(3).below(1) == 0);
}

TEST_CASE("uniform: mean, variance and range") {
  // n = 10⁶: standard errors 1/√(12 n) = 0.00029 for the mean and 1/√(180 n) = 0.000075 for the
  // variance 1/12.
  attn::Rng rng(4);
  const int n = 1000000;
  double sum = 0, squares = 0;
  for (int i = 0; i < n; ++i) {
    const double u = rng.uniform();
    REQUIRE(u >= 0);
    REQUIRE(u < 1);
    sum += u;
    squares += u * u;
  }
  const double mean = sum / n;
  CHECK(std::abs(mean - 0.5) < 5 * 0.00029);
  CHECK(std::abs(squares / n - mean * mean - 1.0 / 12) < 5 * 0.000075);
}

TEST_CASE("normal: the distribution function holds everywhere, tail included") {
  // The share of draws below z has standard error √(Φ(1 − Φ)/n); Φ(z) = erfc(−z/√2)/2. The points
  // beyond 3.654 lie in the ziggurat's tail.
  attn::Rng rng(20261014);
  const int n = 4000000;
  const std::vector<double> points = {-4.5, -3.9, -3.66, -3.0, -2.0, -1.0, -0.5, -0.1, 0.0,
                                      0.1,  0.25, 0.5,   1.0,  1.5,  2.0,  3.0,  3.7,  4.2};
  std::vector<int> counts(points.size());
  double sum = 0, squares = 0, fourth = 0;
  for (int i = 0; i < n; ++i) {
    const double x = rng.normal();
    for (std::size_t j = 0; j < points.size(); ++j) counts[j] += x < points[j];
    sum += x;
    squares += x * x;
    fourth += x * x * x * x;
  }
  for (std::size_t j = 0; j < points.size(); ++j) {
    CAPTURE(points[j]);
    const double phi = 0.5 * std::erfc(-points[j] / std::sqrt(2.0));
    CHECK(std::abs(counts[j] / static_cast<double>(n) - phi) <
          4.5 * std::sqrt(phi * (1 - phi) / n));
  }
  // Moments 0, 1, 3 with standard errors 1/√n, √(2/n), √(96/n).
  CHECK(std::abs(sum / n) < 4.5 / std::sqrt(n));
  CHECK(std::abs(squares / n - 1) < 4.5 * std::sqrt(2.0 / n));
  CHECK(std::abs(fourth / n - 3) < 4.5 * std::sqrt(96.0 / n));
}

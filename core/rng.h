// Random numbers with a published algorithm: the same seed gives the same numbers everywhere.
#pragma once

#include <array>
#include <cstdint>

namespace attn {

/// xoshiro256++, its four words filled by SplitMix64.
///
/// Source: Blackman and Vigna, "Scrambled Linear Pseudorandom Number Generators", 2021;
/// Steele, Lea and Flood, "Fast Splittable Pseudorandom Number Generators", 2014.
class Rng {
 public:
  /// Streams of one seed are independent: an experiment gives each of its parts one, so that the
  /// numbers of a part do not depend on the other parts. Stream 0 is the published seeding.
  explicit Rng(std::uint64_t seed, std::uint64_t stream = 0) noexcept;

  /// Continues from the four words of a generator's state, not all zero.
  explicit Rng(const std::array<std::uint64_t, 4>& state) : state_(state) {}

  /// 64 random bits.
  std::uint64_t next() noexcept;

  /// In [0, 1), a multiple of 2^−53. Takes one next().
  double uniform() noexcept { return static_cast<double>(next() >> 11) * 0x1p-53; }

  /// Uniform in 0 … n − 1 without bias, for n ≥ 1 (Lemire 2019). Takes one next(), rarely more.
  std::uint32_t below(std::uint32_t n) noexcept;

  /// Standard normal, by the ziggurat with 256 layers. Takes one next() in 98.8 % of calls.
  ///
  /// Bits 0–7 of a draw choose the layer, bit 8 the sign, and bits 11–63 the place in the layer. A
  /// wedge takes one uniform() more, and the tail takes two per attempt.
  /// Source: Marsaglia and Tsang, "The Ziggurat Method for Generating Random Variables", 2000, with
  /// layer and place from different bits, as recommended by Doornik (2005).
  double normal() noexcept;

 private:
  std::array<std::uint64_t, 4> state_;
};

}  // namespace attn

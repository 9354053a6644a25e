#include "core/rng.h"

#include <bit>
#include <cmath>

#include "core/bits.h"
#include "core/math.h"

namespace attn {
namespace {

std::uint64_t mix(std::uint64_t z) {
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  return z ^ (z >> 31);
}

// SplitMix64
std::uint64_t split_mix(std::uint64_t& state) { return mix(state += 0x9e3779b97f4a7c15); }

constexpr int kLayers = 256;
// Right end of the bottom layer: the value with which 256 layers of equal area, the bottom one with
// the tail, close exactly at the top of e^(−x²/2).
constexpr double kTailStart = 3.654152885361009;
constexpr double kLayerArea = 0.004928673233974658;

double bell(double x) { return exp(-0.5 * x * x); }

/// Layer i lies between the heights[i] and heights[i + 1] and reaches from 0 to widths[i].
struct Ziggurat {
  std::array<double, kLayers + 1> widths;
  std::array<double, kLayers + 1> heights;

  Ziggurat() {
    // The bottom layer is a rectangle of the same area at the height of its right end.
    widths[0] = kLayerArea / bell(kTailStart);
    heights[0] = 0;
    widths[1] = kTailStart;
    heights[1] = bell(kTailStart);
    for (std::size_t i = 2; i < kLayers; ++i) {
      heights[i] = heights[i - 1] + kLayerArea / widths[i - 1];
      widths[i] = std::sqrt(-2 * log(heights[i]));
    }
    widths[kLayers] = 0;
    heights[kLayers] = 1;
  }
};

}  // namespace

Rng::Rng(std::uint64_t seed, std::uint64_t stream) noexcept {
  std::uint64_t state = seed ^ mix(stream);  // mix(0) = 0
  for (auto& word : state_) word = split_mix(state);
}

std::uint64_t Rng::next() noexcept {
  auto& s = state_;
  const std::uint64_t result = std::rotl(s[0] + s[3], 23) + s[0];
  const std::uint64_t t = s[1] << 17;
  s[2] ^= s[0];
  s[3] ^= s[1];
  s[1] ^= s[2];
  s[0] ^= s[3];
  s[2] ^= t;
  s[3] = std::rotl(s[3], 45);
  return result;
}

std::uint32_t Rng::below(std::uint32_t n) noexcept {
  std::uint64_t product = (next() >> 32) * n;
  if (static_cast<std::uint32_t>(product) < n) {
    const std::uint32_t surplus = -n % n;  // 2^32 mod n: the products to leave out
    while (static_cast<std::uint32_t>(product) < surplus) product = (next() >> 32) * n;
  }
  return static_cast<std::uint32_t>(product >> 32);
}

double Rng::normal() noexcept {
  static const Ziggurat ziggurat;
  for (;;) {
    const std::uint64_t bits = next();
    const auto layer = static_cast<std::size_t>(bits & 255);
    double x = static_cast<double>(bits >> 11) * 0x1p-53 * ziggurat.widths[layer];
    if (x >= ziggurat.widths[layer + 1]) {
      if (layer == 0) {
        double beyond, height;
        do {
          beyond = -log(1 - uniform()) / kTailStart;
          height = -log(1 - uniform());
        } while (2 * height <= beyond * beyond);
        x = kTailStart + beyond;
      } else {
        const double low = ziggurat.heights[layer];
        const double y = low + uniform() * (ziggurat.heights[layer + 1] - low);
        if (y >= bell(x)) continue;
      }
    }
    const std::uint64_t sign = (bits & 256) << 55;
    return bit_cast<double>(bit_cast<std::uint64_t>(x) | sign);
  }
}

}  // namespace attn

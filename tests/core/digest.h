// A hash that changes with any bit of the core's results.
#pragma once

#include <cstdint>
#include <string>

namespace attn {

struct Digest {
  std::uint64_t hash = 0xcbf29ce484222325;  // FNV-1a over the bytes of every result
  long results = 0;
};

/// Over more than 100,000 results: elementary functions, random numbers, softmax, its Jacobian,
/// entropy, attention, masks, products, positions, decoding, groups of heads, latents, sinks,
/// recurrence, the variance experiment and the init sweep.
Digest core_digest();

/// "<hash in hexadecimal> <number of results>"
std::string core_digest_text();

}  // namespace attn

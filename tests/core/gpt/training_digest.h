// Digests of a few training runs, which must be the same in every build.
#pragma once

#include <string>

namespace attn {

/// "<case> <attention> <steps> <hash of all parameters> <hash of all losses>", for the small case
/// after 20 steps and the large one after 5, scaled and unscaled, on a text of random tokens.
std::string training_digest_text(int threads);

}  // namespace attn

// Generation token by token: what earlier passes computed is thrown away, or kept in a KV cache.
#pragma once

#include <vector>

#include "core/matrix.h"

namespace attn {

/// Layers of multi-head attention under a causal mask; each reads what the one before it gives.
/// What a decoder has besides (residual, normalisation, feed-forward) works on every token by
/// itself and so changes nothing here.
struct Decoder {
  Matrix w_q, w_k, w_v;  // (d, d) the same in every layer
  Matrix w_o;            // (d, d) applied to the heads' outputs side by side
  int heads = 1;
  int layers = 1;
};

/// One pass, from which one token follows.
struct DecodeStep {
  int known = 0;     // tokens that are there when the pass begins
  int computed = 0;  // tokens whose K and V this pass computes, in every layer
  int repeated = 0;  // of these, those whose K and V an earlier pass had computed
  int asking = 0;    // index of the token whose query asks what comes next: the last one there
  Matrix output;     // (1, d) what it is told
};

struct DecodeOptions {
  int prompt = 1;      // tokens given; the first pass reads them all
  int generated = 1;   // tokens that follow, one a pass
  bool cached = true;  // whether K and V stay from pass to pass
};

/// Replays a generation whose tokens are known: in each pass the last token there asks, and the
/// next one is taken from `tokens`. The last one generated is never read.
///
/// @param tokens (n, d), n ≥ prompt + generated − 1
/// @return one step for each token generated; `output` is the same with the cache and without it,
///         bit for bit
/// @throws std::invalid_argument for fewer tokens, a matrix that is not (d, d), heads that don't
///         divide d, or a count below 1
std::vector<DecodeStep> decode(const Matrix& tokens, const Decoder& decoder,
                               const DecodeOptions& options);

}  // namespace attn

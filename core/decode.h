// Generation token by token, with a KV cache or without one.
#pragma once

#include <vector>

#include "core/matrix.h"

namespace attn {

/// Layers of multi-head attention under a causal mask; the output of one is the input of the next.
/// Residual connections, normalisation and feed-forward layers are left out: they work on each
/// token alone, so they change nothing about the cache.
struct Decoder {
  Matrix w_q, w_k, w_v;  // (d, d) the same in every layer
  Matrix w_o;            // (d, d) applied to the heads' outputs side by side
  int heads = 1;
  int layers = 1;
};

/// One forward pass, which predicts one token.
struct DecodeStep {
  int known = 0;     // tokens present when the pass begins
  int computed = 0;  // tokens whose K and V this pass computes, in every layer
  int repeated = 0;  // of these, tokens whose K and V an earlier pass had computed
  int asking = 0;    // index of the token whose query predicts the next one: the last
  Matrix output;     // (1, d) output of the last layer at that token
};

struct DecodeOptions {
  int prompt = 1;      // tokens given; the first pass computes them all
  int generated = 1;   // tokens that follow, one per pass
  bool cached = true;  // whether K and V are kept between passes
};

/// Replays a generation whose tokens are known: each pass computes the output at the last token,
/// and the next token is taken from `tokens`. The last token generated is never an input.
///
/// @param tokens (n, d), n ≥ prompt + generated − 1
/// @return one step for each token generated; `output` is the same with the cache and without it,
///         bit for bit
/// @throws std::invalid_argument for fewer tokens, a matrix that is not (d, d), heads that don't
///         divide d, or a count below 1
std::vector<DecodeStep> decode(const Matrix& tokens, const Decoder& decoder,
                               const DecodeOptions& options);

}  // namespace attn

// The loss of predicting the next token.
#pragma once

namespace attn {

/// −ln softmax(logits)[target] of each row, and its gradient times `share`.
///
/// @param logits   (rows, vocab) in; out: share · (softmax − one-hot of the target), if `backward`
/// @param targets  (rows) each 0 … vocab − 1; not checked
/// @param losses   (rows) out, in nats
template <class T>
void cross_entropy(int rows, int vocab, T* logits, const int* targets, double* losses, T share,
                   bool backward);

}  // namespace attn

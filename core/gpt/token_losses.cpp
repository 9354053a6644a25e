#include "core/gpt/token_losses.h"

#include "core/gpt/cross_entropy.h"

namespace attn {

std::vector<double> token_losses(const Gpt<float>& gpt, std::span<const int> tokens) {
  Activations<float> a(gpt.config(), 1, static_cast<int>(tokens.size()));
  Workers workers(1);
  gpt.forward(tokens, a, workers);
  // The last row predicts a token beyond the text, so it has no loss.
  std::vector<double> losses(tokens.size() - 1);
  cross_entropy(a.length - 1, gpt.config().vocab_size, a.logits.data(), tokens.data() + 1,
                losses.data(), 1.0f, false);
  return losses;
}

std::vector<double> token_losses_without(const Gpt<float>& gpt, std::span<const int> tokens,
                                         int layer, int head) {
  Gpt<float> without = gpt;
  without.ablate_head(layer, head);
  return token_losses(without, tokens);
}

}  // namespace attn

#include "core/decode.h"

#include <string>
#include <string_view>

#include "core/check.h"
#include "core/mask.h"
#include "core/multi_head.h"
#include "core/product.h"

namespace attn {
namespace {

/// Keys and values of the tokens that one layer has read, a row each.
struct LayerCache {
  Matrix k, v;
};

void append(Matrix& kept, const Matrix& rows) {
  kept.conservativeResize(kept.rows() + rows.rows(), rows.cols());
  kept.bottomRows(rows.rows()) = rows;
}

/// Runs new tokens through all layers and appends their keys and values to the caches.
Matrix read(Matrix x, const Decoder& decoder, std::vector<LayerCache>& caches) {
  for (LayerCache& cache : caches) {
    append(cache.k, product(x, decoder.w_k));
    append(cache.v, product(x, decoder.w_v));
    // The new tokens are the last ones, so their rows are the last rows of the whole mask.
    const Matrix mask = causal_mask(cache.k.rows()).bottomRows(x.rows());
    const Matrix q = product(x, decoder.w_q);
    x = product(multi_head_attention(q, cache.k, cache.v, mask, decoder.heads, true).output,
                decoder.w_o);
  }
  return x;
}

void require_at_least(std::string_view name, int value, int least) {
  if (value < least) refuse(name, "at least " + text_of(least), text_of(value));
}

void require_square(std::string_view name, const Matrix& matrix, Eigen::Index d) {
  if (matrix.rows() != d || matrix.cols() != d) refuse(name, shape_of(d, d), shape_of(matrix));
}

}  // namespace

std::vector<DecodeStep> decode(const Matrix& tokens, const Decoder& decoder,
                               const DecodeOptions& options) {
  require_at_least("prompt", options.prompt, 1);
  require_at_least("generated", options.generated, 1);
  require_at_least("layers", decoder.layers, 1);
  // Index is wider than int, so the sum does not overflow.
  const Eigen::Index last = Eigen::Index{options.prompt} + options.generated - 1;
  if (tokens.rows() < last) {
    refuse("tokens", "at least " + text_of(last) + " rows", text_of(tokens.rows()));
  }
  const Eigen::Index d = tokens.cols();
  require_square("w_q", decoder.w_q, d);
  require_square("w_k", decoder.w_k, d);
  require_square("w_v", decoder.w_v, d);
  require_square("w_o", decoder.w_o, d);

  std::vector<LayerCache> caches;
  int read_before = 0;  // tokens that some pass has computed
  int kept = 0;         // of these, tokens in the caches
  std::vector<DecodeStep> steps;
  for (int known = options.prompt; known <= last; ++known) {
    if (!options.cached || caches.empty()) {
      caches = std::vector<LayerCache>(static_cast<std::size_t>(decoder.layers));
      kept = 0;
    }
    const Matrix x = read(tokens.middleRows(kept, known - kept), decoder, caches);
    steps.push_back({known, known - kept, read_before - kept, known - 1, x.bottomRows(1)});
    read_before = kept = known;
  }
  return steps;
}

}  // namespace attn

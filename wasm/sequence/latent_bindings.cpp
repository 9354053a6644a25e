#include "core/latent.h"
#include "wasm/buffer.h"

namespace attn::wasm {
namespace {

void latent_scores_call(Input& in, Output& out) {
  const std::span<const double> query = in.numbers();
  const Matrix latents = in.matrix("latents");
  const Matrix up = in.matrix("up");
  const int rotated = in.integer("rotated", 0, 1 << 20);
  const LatentScores scores = latent_scores(query, latents, up, rotated, in.number());
  out << scores.keys << scores.expanded << scores.folded << scores.each << scores.once
      << scores.each_error << scores.once_error;
}

}  // namespace
}  // namespace attn::wasm

EMSCRIPTEN_BINDINGS(latent) { attn::wasm::define<attn::wasm::latent_scores_call>("latentScores"); }

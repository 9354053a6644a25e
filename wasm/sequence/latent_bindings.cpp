#include "core/latent.h"
#include "wasm/function.h"

namespace attn::wasm {
namespace {

struct TurnOptions {
  int rotated = 0;
  double base = 10000;
};

LatentScores scores(std::span<const double> query, const Matrix& latents, const Matrix& up,
                    const TurnOptions& options) {
  return latent_scores(query, latents, up, options.rotated, options.base);
}

struct SizeOptions {
  int heads = 0, width = 0, rank = 0, rope = 0;
};

LatentSizes sizes(const SizeOptions& options) {
  return latent_sizes(options.heads, options.width, options.rank, options.rope);
}

}  // namespace
}  // namespace attn::wasm

EMSCRIPTEN_BINDINGS(latent) {
  using namespace attn;
  using namespace attn::wasm;
  using emscripten::value_object;
  value_object<LatentScores>("LatentScores")
      .field("keys", &LatentScores::keys)
      .field("expanded", &LatentScores::expanded)
      .field("folded", &LatentScores::folded)
      .field("each", &LatentScores::each)
      .field("once", &LatentScores::once)
      .field("eachError", &LatentScores::each_error)
      .field("onceError", &LatentScores::once_error);
  value_object<TurnOptions>("TurnOptions")
      .field("rotated", &TurnOptions::rotated)
      .field("base", &TurnOptions::base);
  value_object<SizeOptions>("SizeOptions")
      .field("heads", &SizeOptions::heads)
      .field("width", &SizeOptions::width)
      .field("rank", &SizeOptions::rank)
      .field("rope", &SizeOptions::rope);
  value_object<LatentSizes>("LatentSizes")
      .field("keys", &LatentSizes::keys)
      .field("whole", &LatentSizes::whole)
      .field("kept", &LatentSizes::kept)
      .field("share", &LatentSizes::share);
  bind<&scores>("latentScores");
  bind<&sizes>("latentSizes");
}

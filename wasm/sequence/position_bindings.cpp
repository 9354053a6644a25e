#include "core/distance.h"
#include "core/normal_matrix.h"
#include "core/position_table.h"
#include "core/product.h"
#include "core/rotary.h"
#include "core/sinusoidal.h"
#include "wasm/function.h"

namespace attn::wasm {
namespace {

struct RotaryOptions {
  std::vector<double> positions;
  int rotated = 0;
  double base = 10000;
};

struct SinusoidalOptions {
  std::vector<double> positions;
  double base = 10000;
};

Matrix turn(const Matrix& x, const RotaryOptions& options) {
  return rotate(x, options.positions, options.rotated, options.base);
}

Matrix add_codes(const Matrix& x, const SinusoidalOptions& options) {
  return add_sinusoidal(x, options.positions, options.base);
}

struct NormalOptions {
  int rows = 1;
  int cols = 1;
  double std = 1;
  std::uint32_t seed = 0;
  std::uint32_t stream = 0;
};

Matrix normal(const NormalOptions& options) {
  return normal_matrix(options.rows, options.cols, options.std, options.seed, options.stream);
}

}  // namespace
}  // namespace attn::wasm

EMSCRIPTEN_BINDINGS(position) {
  using namespace attn;
  using namespace attn::wasm;
  using emscripten::value_object;
  value_object<RotaryOptions>("RotaryOptions")
      .field("positions", &RotaryOptions::positions)
      .field("rotated", &RotaryOptions::rotated)
      .field("base", &RotaryOptions::base);
  value_object<SinusoidalOptions>("SinusoidalOptions")
      .field("positions", &SinusoidalOptions::positions)
      .field("base", &SinusoidalOptions::base);
  value_object<NormalOptions>("NormalOptions")
      .field("rows", &NormalOptions::rows)
      .field("cols", &NormalOptions::cols)
      .field("std", &NormalOptions::std)
      .field("seed", &NormalOptions::seed)
      .field("stream", &NormalOptions::stream);
  bind<&turn>("rotate");
  bind<&add_codes>("addSinusoidal");
  bind<&wavelengths>("wavelengths");
  bind<&add_table_rows>("addTableRows");
  bind<&normal>("normalMatrix");
  bind<&row_products>("rowProducts");
  bind<&row_scores>("rowScores");
  bind<&distance>("distance");
}

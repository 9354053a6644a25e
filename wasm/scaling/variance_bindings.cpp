#include "core/init_sweep.h"
#include "core/product_walk.h"
#include "core/scaling.h"
#include "core/variance.h"
#include "wasm/function.h"

namespace attn::wasm {
namespace {

struct VarianceOptions {
  std::vector<int> dims;
  std::uint32_t seed = 0;
  int samples = 1;
  int keys = 2;
};

std::vector<VarianceRow> variance(const VarianceOptions& options) {
  return variance_experiment(options.dims, options.seed, options.samples, options.keys);
}

struct WalkOptions {
  std::vector<int> stops;
  std::uint32_t seed = 0;
  int keys = 1;
};

Matrix walks(const WalkOptions& options) {
  return product_walks(options.stops, options.seed, options.keys);
}

struct BinOptions {
  int d = 1;
  std::uint32_t seed = 0;
  int count = 1;
  int keys = 2;
};

std::vector<int> bins(const BinOptions& options) {
  return product_bins(options.d, options.seed, options.count, options.keys);
}

struct SweepOptions {
  std::vector<int> dims;
  double sigma = 0;
  std::uint32_t seed = 0;
};

std::vector<InitSweepRow> sweep(const SweepOptions& options) {
  return init_sweep(options.dims, options.sigma, options.seed);
}

}  // namespace
}  // namespace attn::wasm

EMSCRIPTEN_BINDINGS(variance) {
  using namespace attn;
  using namespace attn::wasm;
  using emscripten::value_object;
  value_object<Histogram>("Histogram")
      .field("lo", &Histogram::lo)
      .field("hi", &Histogram::hi)
      .field("counts", &Histogram::counts)
      .field("below", &Histogram::below)
      .field("above", &Histogram::above);
  value_object<Spread>("Spread")
      .field("std", &Spread::std)
      .field("maxWeight", &Spread::max_weight)
      .field("entropy", &Spread::entropy)
      .field("jacobianNorm", &Spread::jacobian_norm)
      .field("jacobianNormMedian", &Spread::jacobian_norm_median)
      .field("gapAbove10", &Spread::gap_above_10)
      .field("gapAbove20", &Spread::gap_above_20)
      .field("histogram", &Spread::histogram);
  value_object<VarianceRow>("VarianceRow")
      .field("d", &VarianceRow::d)
      .field("raw", &VarianceRow::raw)
      .field("scaled", &VarianceRow::scaled);
  value_object<DivisorRow>("DivisorRow")
      .field("divisor", &DivisorRow::divisor)
      .field("weights", &DivisorRow::weights)
      .field("maxWeight", &DivisorRow::max_weight)
      .field("entropy", &DivisorRow::entropy)
      .field("std", &DivisorRow::std);
  value_object<InitSweepRow>("InitSweepRow")
      .field("d", &InitSweepRow::d)
      .field("std", &InitSweepRow::std)
      .field("predicted", &InitSweepRow::predicted)
      .field("unitVariance", &InitSweepRow::unit_variance)
      .field("entropy", &InitSweepRow::entropy)
      .field("jacobianNorm", &InitSweepRow::jacobian_norm);
  value_object<VarianceOptions>("VarianceOptions")
      .field("dims", &VarianceOptions::dims)
      .field("seed", &VarianceOptions::seed)
      .field("samples", &VarianceOptions::samples)
      .field("keys", &VarianceOptions::keys);
  value_object<WalkOptions>("WalkOptions")
      .field("stops", &WalkOptions::stops)
      .field("seed", &WalkOptions::seed)
      .field("keys", &WalkOptions::keys);
  value_object<BinOptions>("BinOptions")
      .field("d", &BinOptions::d)
      .field("seed", &BinOptions::seed)
      .field("count", &BinOptions::count)
      .field("keys", &BinOptions::keys);
  value_object<SweepOptions>("SweepOptions")
      .field("dims", &SweepOptions::dims)
      .field("sigma", &SweepOptions::sigma)
      .field("seed", &SweepOptions::seed);
  bind<&variance>("variance");
  bind<&walks>("productWalks");
  bind<&bins>("productBins");
  bind<&compare_divisors>("divisors");
  bind<&sweep>("initSweep");
}

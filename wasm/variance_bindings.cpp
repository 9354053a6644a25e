#include "core/init_sweep.h"
#include "core/scaling.h"
#include "core/variance.h"
#include "wasm/convert.h"

namespace attn::wasm {
namespace {

val to_js(const Histogram& histogram) noexcept {
  Array counts;
  for (const int count : histogram.counts) counts.push(val(count));
  return Object()
      .number("lo", histogram.lo)
      .number("hi", histogram.hi)
      .value("counts", counts)
      .number("below", histogram.below)
      .number("above", histogram.above);
}

val to_js(const Spread& spread) noexcept {
  return Object()
      .number("std", spread.std)
      .number("maxWeight", spread.max_weight)
      .number("entropy", spread.entropy)
      .number("jacobianNorm", spread.jacobian_norm)
      .number("jacobianNormMedian", spread.jacobian_norm_median)
      .number("gapAbove10", spread.gap_above_10)
      .number("gapAbove20", spread.gap_above_20)
      .value("histogram", to_js(spread.histogram));
}

val variance_in_js(const val& options) {
  return guarded([&]() -> val {
    const Fields fields(options);
    Array result;
    for (const VarianceRow& row : variance_experiment(
             fields.integers("dims", 1, 4096), fields.seed(),
             fields.integer("samples", 1, 1000000000), fields.integer("keys", 2, 64))) {
      result.push(Object()
                      .number("d", row.d)
                      .value("raw", to_js(row.raw))
                      .value("scaled", to_js(row.scaled)));
    }
    return result;
  });
}

val divisors_in_js(const val& scores, const val& d) {
  return guarded([&]() -> val {
    Array result;
    for (const DivisorRow& row : compare_divisors(
             numbers_from(scores, "scores"), static_cast<int>(integer_from(d, "d", 1, 1 << 30)))) {
      result.push(Object()
                      .number("divisor", row.divisor)
                      .numbers("weights", row.weights)
                      .number("maxWeight", row.max_weight)
                      .number("entropy", row.entropy)
                      .number("std", row.std));
    }
    return result;
  });
}

val init_sweep_in_js(const val& options) {
  return guarded([&]() -> val {
    const Fields fields(options);
    Array result;
    for (const InitSweepRow& row :
         init_sweep(fields.integers("dims", 2, 1024), fields.number("sigma"), fields.seed())) {
      result.push(Object()
                      .number("d", row.d)
                      .number("std", row.std)
                      .number("predicted", row.predicted)
                      .number("unitVariance", row.unit_variance)
                      .number("entropy", row.entropy)
                      .number("jacobianNorm", row.jacobian_norm));
    }
    return result;
  });
}

}  // namespace
}  // namespace attn::wasm

EMSCRIPTEN_BINDINGS(variance) {
  emscripten::function("variance", &attn::wasm::variance_in_js);
  emscripten::function("divisors", &attn::wasm::divisors_in_js);
  emscripten::function("initSweep", &attn::wasm::init_sweep_in_js);
}

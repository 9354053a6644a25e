#include "core/init_sweep.h"
#include "core/scaling.h"
#include "core/variance.h"
#include "wasm/buffer.h"

namespace attn::wasm {

Output& operator<<(Output& out, const Histogram& histogram) {
  return out << histogram.lo << histogram.hi << histogram.counts << histogram.below
             << histogram.above;
}

Output& operator<<(Output& out, const Spread& spread) {
  return out << spread.std << spread.max_weight << spread.entropy << spread.jacobian_norm
             << spread.jacobian_norm_median << spread.gap_above_10 << spread.gap_above_20
             << spread.histogram;
}

Output& operator<<(Output& out, const VarianceRow& row) {
  return out << row.d << row.raw << row.scaled;
}

Output& operator<<(Output& out, const DivisorRow& row) {
  return out << row.divisor << row.weights << row.max_weight << row.entropy << row.std;
}

Output& operator<<(Output& out, const InitSweepRow& row) {
  return out << row.d << row.std << row.predicted << row.unit_variance << row.entropy
             << row.jacobian_norm;
}

namespace {

void variance_call(Input& in, Output& out) {
  const std::vector<int> dims = in.integers("dims", 1, 4096);
  const std::uint64_t seed = in.seed();
  const int samples = in.integer("samples", 1, 1000000000);
  const int keys = in.integer("keys", 2, 64);
  out << variance_experiment(dims, seed, samples, keys);
}

void divisors_call(Input& in, Output& out) {
  const std::span<const double> scores = in.numbers();
  out << compare_divisors(scores, in.integer("d", 1, 1 << 30));
}

void init_sweep_call(Input& in, Output& out) {
  const std::vector<int> dims = in.integers("dims", 2, 1024);
  const double sigma = in.number();
  out << init_sweep(dims, sigma, in.seed());
}

}  // namespace
}  // namespace attn::wasm

ATTN_EXPORT(variance, attn::wasm::variance_call)
ATTN_EXPORT(divisors, attn::wasm::divisors_call)
ATTN_EXPORT(initSweep, attn::wasm::init_sweep_call)

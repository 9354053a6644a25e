#include "web/tools/train_bench.h"

#include <algorithm>
#include <chrono>
#include <vector>

#include "core/check.h"
#include "core/gpt/gemm.h"
#include "core/gpt/trainer.h"
#include "core/rng.h"
#include "web/tools/eigen_product.h"

namespace attn {
namespace {

constexpr int kRows = 2048, kInner = 128, kCols = 384;
constexpr double kStepGflop = 5.3;  // of the small case: 5.1 in products, 0.2 in causal attention

/// Seconds of the fastest of `times` runs, or `best` if that was faster.
template <class Body>
void time(int times, double& best, Body body) {
  using Clock = std::chrono::steady_clock;
  for (int i = 0; i < times; ++i) {
    const auto began = Clock::now();
    body();
    best = std::min(best, std::chrono::duration<double>(Clock::now() - began).count());
  }
}

std::vector<float> numbers(int n, std::uint64_t stream) {
  Rng rng(1, stream);
  std::vector<float> all;
  for (int i = 0; i < n; ++i) all.push_back(static_cast<float>(rng.normal()));
  return all;
}

Trainer<float> trainer_of(const GptConfig& config) {
  Rng rng(2);
  std::vector<int> text;
  for (int i = 0; i < 20000; ++i) text.push_back(static_cast<int>(rng.below(1200)));
  TrainingOptions options;
  options.config = config;
  return Trainer<float>(options, text, {});
}

}  // namespace

std::string measure_training(int rounds) {
  const auto a = numbers(kRows * kInner, 1), b = numbers(kInner * kCols, 2);
  std::vector<float> c(kRows * kCols);
  auto small = trainer_of(small_case(AttentionKind::kScaled));
  auto large = trainer_of(large_case(AttentionKind::kScaled));
  double eigen = 1e9, product = 1e9, small_step = 1e9, large_step = 1e9;
  for (int i = 0; i < rounds; ++i) {
    time(20, eigen, [&] { eigen_product(kRows, kCols, kInner, a.data(), b.data(), c.data()); });
    time(20, product, [&] {
      multiply<float>(kRows, kCols, kInner, {a.data(), kInner, 1}, {b.data(), kCols, 1}, c.data(),
                      kCols);
    });
    time(3, small_step, [&] { small.step(); });
    time(1, large_step, [&] { large.step(); });
  }
  const double gflop = 2e-9 * kRows * kInner * kCols;
  const double rate = kStepGflop / small_step, yardstick = gflop / eigen;
  std::string json = "{";
  const auto field = [&](const char* name, double value) {
    json.append(json.size() > 1 ? ", \"" : "\"").append(name).append("\": ").append(text_of(value));
  };
  field("eigenGflops", yardstick);
  field("productGflops", gflop / product);
  field("smallStepSeconds", small_step);
  field("largeStepSeconds", large_step);
  field("smallStepGflops", rate);
  field("ratio", rate / yardstick);
  return json + "}";
}

}  // namespace attn

#include "core/programs/train_bench.h"

#include <algorithm>
#include <chrono>
#include <vector>

#include "core/check.h"
#include "core/gpt/gemm.h"
#include "core/gpt/trainer.h"
#include "core/programs/eigen_product.h"
#include "core/rng.h"

namespace attn {
namespace {

constexpr int kRows = 2048, kInner = 128, kCols = 384;
constexpr double kStepGflop = 5.3;  // of the small case: 5.1 in products, 0.2 in causal attention

/// Seconds that `body` takes.
template <class Body>
double seconds(Body body) {
  using Clock = std::chrono::steady_clock;
  const auto began = Clock::now();
  body();
  return std::chrono::duration<double>(Clock::now() - began).count();
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
  const auto run_eigen = [&] { eigen_product(kRows, kCols, kInner, a.data(), b.data(), c.data()); };
  const auto run_ours = [&] {
    multiply<float>(kRows, kCols, kInner, {a.data(), kInner, 1}, {b.data(), kCols, 1}, c.data(),
                    kCols);
  };
  run_eigen();
  small.step();
  // Products are timed in groups that take as long as a step, so that other load on the machine
  // affects both alike.
  const int products = std::max(
      1, static_cast<int>(seconds([&] { small.step(); }) / std::max(1e-6, seconds(run_eigen))));
  const auto time_of_one = [&](const auto& product) {
    return seconds([&] {
             for (int i = 0; i < products; ++i) product();
           }) /
           products;
  };
  double eigen = 1e9, product = 1e9, small_step = 1e9, large_step = 1e9;
  for (int i = 0; i < rounds; ++i) {
    eigen = std::min(eigen, time_of_one(run_eigen));
    small_step = std::min(small_step, seconds([&] { small.step(); }));
    product = std::min(product, time_of_one(run_ours));
    if (i % 4 == 0) large_step = std::min(large_step, seconds([&] { large.step(); }));
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

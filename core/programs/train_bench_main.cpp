// Prints measure_training(); Eigen's product is built with AVX2 and FMA, ours with AVX2.
#include <iostream>

#include "core/programs/train_bench.h"

int main() {
  if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma")) {
    std::cerr << "this processor has no AVX2\n";
    return 1;
  }
  std::cout << attn::measure_training(30) << '\n';
}

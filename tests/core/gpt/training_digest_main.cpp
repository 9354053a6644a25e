// Prints the training digest of this build with the number of threads in the argument, or
// "unsupported" if the processor lacks the instructions of the build.
#include <cstdlib>
#include <iostream>

#include "tests/core/gpt/training_digest.h"

int main(int argc, char** argv) {
#ifdef ATTN_NEEDS_AVX2
  if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma")) {
    std::cout << "unsupported\n";
    return 0;
  }
#endif
  std::cout << attn::training_digest_text(argc > 1 ? std::atoi(argv[1]) : 1);
}

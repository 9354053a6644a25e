// Prints the digest of this build, or "unsupported" if the processor lacks the instructions of the
// build.
#include <iostream>

#include "tests/core/digest.h"

int main() {
#ifdef ATTN_NEEDS_AVX2
  if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma")) {
    std::cout << "unsupported\n";
    return 0;
  }
#endif
  std::cout << attn::core_digest_text() << '\n';
}

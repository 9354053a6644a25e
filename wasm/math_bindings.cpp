#include "core/math.h"

// Not exp and log, which are the C library's.
extern "C" {

[[gnu::used]] double expOf(double x) { return attn::exp(x); }
[[gnu::used]] double logOf(double x) { return attn::log(x); }

}  // extern "C"

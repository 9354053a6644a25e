// Splitting rows between threads.
#pragma once

#include <functional>
#include <memory>

namespace attn {

/// A fixed crew of threads that waits between jobs. With one thread, and in WebAssembly without
/// threads, everything runs where it is called.
class Workers {
 public:
  /// @param threads  1 … 64, the caller's included
  /// @throws std::invalid_argument outside
  explicit Workers(int threads);
  ~Workers();

  /// Runs part(begin, end) over parts of 0 … n − 1, and returns when all are done. Every index must
  /// be worked out alone, in an order of its own: then no bit depends on how many threads there
  /// are.
  void split(int n, const std::function<void(int begin, int end)>& part);

 private:
  struct Crew;
  std::unique_ptr<Crew> crew_;
};

}  // namespace attn

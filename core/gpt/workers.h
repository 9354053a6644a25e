// Splitting rows between threads.
#pragma once

#include <functional>
#include <memory>

namespace attn {

/// A fixed set of threads that wait between jobs. With one thread, and in WebAssembly without
/// threads, jobs run in the calling thread.
class Workers {
 public:
  /// @param threads  1 … 64, the caller's included
  /// @throws std::invalid_argument outside
  explicit Workers(int threads);
  ~Workers();

  /// From the next job on, this many of the threads work; the others sleep.
  /// @param threads  1 to the number of threads, the caller's included
  /// @throws std::invalid_argument outside
  void use(int threads);

  /// Runs part(begin, end) over parts of 0 … n − 1, and returns when all are done. The result
  /// of an index must not depend on other indices; then no bit depends on the number of threads.
  void split(int n, const std::function<void(int begin, int end)>& part);

 private:
  struct Crew;
  std::unique_ptr<Crew> crew_;
  int threads_, used_;
};

}  // namespace attn

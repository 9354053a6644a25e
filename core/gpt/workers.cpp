#include "core/gpt/workers.h"

#include <string>

#include "core/check.h"

#if !defined(__EMSCRIPTEN__) || defined(__EMSCRIPTEN_PTHREADS__)
#define ATTN_THREADS 1
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <thread>
#include <vector>
#endif

namespace attn {

#ifdef ATTN_THREADS

struct Workers::Crew {
  explicit Crew(int helpers) {
    for (int i = 1; i <= helpers; ++i) threads.emplace_back([this, i] { serve(i); });
  }

  ~Crew() {
    {
      const std::lock_guard lock(mutex);
      closing = true;
    }
    wake.notify_all();
    for (std::thread& thread : threads) thread.join();
  }

  void run(int size, int used, const std::function<void(int, int)>& body) {
    {
      const std::lock_guard lock(mutex);
      part = &body;
      n = size;
      parts = used;
      busy = static_cast<int>(threads.size());
      ++job;
    }
    wake.notify_all();
    work(0);
    std::unique_lock lock(mutex);
    done.wait(lock, [this] { return busy == 0; });
  }

  void serve(int index) {
    std::uint64_t seen = 0;
    std::unique_lock lock(mutex);
    for (;;) {
      wake.wait(lock, [&] { return closing || job != seen; });
      if (closing) return;
      seen = job;
      lock.unlock();
      work(index);
      lock.lock();
      if (--busy == 0) done.notify_one();
    }
  }

  void work(int index) {
    if (index >= parts) return;
    const auto begin = static_cast<int>(n * std::int64_t{index} / parts);
    const auto end = static_cast<int>(n * (std::int64_t{index} + 1) / parts);
    if (begin < end) (*part)(begin, end);
  }

  std::mutex mutex;
  std::condition_variable wake, done;
  std::vector<std::thread> threads;
  const std::function<void(int, int)>* part = nullptr;
  int n = 0, parts = 1, busy = 0;
  std::uint64_t job = 0;
  bool closing = false;
};

#else

struct Workers::Crew {
  explicit Crew(int) {}
  void run(int size, int, const std::function<void(int, int)>& body) { body(0, size); }
};

#endif

Workers::Workers(int threads) : threads_(threads), used_(threads) {
  if (threads < 1 || threads > 64) refuse("threads", "1 to 64", std::to_string(threads));
  if (threads > 1) crew_ = std::make_unique<Crew>(threads - 1);
}

Workers::~Workers() = default;

void Workers::use(int threads) {
  if (threads < 1 || threads > threads_) {
    refuse("threads", "1 to " + std::to_string(threads_), std::to_string(threads));
  }
  used_ = threads;
}

void Workers::split(int n, const std::function<void(int, int)>& part) {
  if (n <= 0) return;
  if (used_ > 1) {
    crew_->run(n, used_, part);
  } else {
    part(0, n);
  }
}

}  // namespace attn

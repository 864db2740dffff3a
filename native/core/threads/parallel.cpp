#include "threads/parallel.hpp"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

namespace phasemark {

namespace {

class Pool {
 public:
  Pool(std::size_t tasks, const std::function<void(std::size_t)>& body) : tasks_(tasks), body_(body) {}

  // Works until there is nothing left or `after` says stop.
  void work(const std::function<bool()>& after) noexcept {
    for (std::size_t task = next_++; task < tasks_ && !stopped_; task = next_++) {
      try {
        body_(task);
        ++done_;
        if (after && !after()) stopped_ = true;
      } catch (...) {
        fail(std::current_exception());
      }
    }
  }

  // When all threads have stopped.
  bool finish(const std::function<bool()>& tick) {
    if (error_) std::rethrow_exception(error_);
    return done_ == tasks_ && (!tick || tick());
  }

 private:
  void fail(std::exception_ptr error) noexcept {
    const std::lock_guard lock(mutex_);
    if (!error_) error_ = error;
    stopped_ = true;
  }

  const std::size_t tasks_;
  const std::function<void(std::size_t)>& body_;
  std::atomic<std::size_t> next_{0};
  std::atomic<std::size_t> done_{0};
  std::atomic<bool> stopped_{false};
  std::mutex mutex_;
  std::exception_ptr error_;
};

}  // namespace

bool parallel_for(std::size_t tasks, int threads, const std::function<void(std::size_t)>& body,
                  const std::function<bool()>& tick) {
  Pool pool(tasks, body);
  const auto helpers = std::min(tasks, static_cast<std::size_t>(std::max(threads, 1)));
  std::vector<std::jthread> others;
  try {
    for (std::size_t i = 1; i < helpers; ++i) others.emplace_back([&pool] { pool.work({}); });
  } catch (const std::system_error&) {
    // The system gives no more of them, for want of memory: those that there are do it.
  }
  pool.work(tick);
  others.clear();
  return pool.finish(tick);
}

std::function<void()> pulse_of(const std::function<bool()>& tick) {
  return [&tick, maker = std::this_thread::get_id()] {
    if (std::this_thread::get_id() == maker) tick();
  };
}

}  // namespace phasemark

// A recursive mutex that a fork of its holder goes on holding: std::recursive_mutex knows its holder by a
// thread number, which the fork has not.
#pragma once

#include <atomic>
#include <mutex>

namespace interlock::mocks {

class RecursiveLock {
 public:
  void lock() {
    if (holder_.load() != self()) {
      mutex_.lock();
      holder_ = self();
    }
    ++depth_;
  }
  void unlock() {
    if (--depth_ > 0) return;
    holder_ = nullptr;
    mutex_.unlock();
  }

 private:
  static const void* self() {
    static thread_local const char kThread = 0;
    return &kThread;
  }

  std::mutex mutex_;
  std::atomic<const void*> holder_ = nullptr;
  int depth_ = 0;
};

}  // namespace interlock::mocks

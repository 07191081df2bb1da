// How long something takes: the median of several runs, behind one that fills the caches.
#pragma once

#include <algorithm>
#include <ctime>
#include <vector>

#include "base/time.h"

namespace interlock::bench {

inline Duration clock_now(clockid_t clock) {
  timespec time{};
  ::clock_gettime(clock, &time);
  return std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec);
}

inline Duration median(std::vector<Duration> times) {
  const auto middle = times.begin() + static_cast<std::ptrdiff_t>(times.size() / 2);
  std::ranges::nth_element(times, middle);
  return *middle;
}

struct Measured {
  Duration wall{};
  Duration cpu{};  // of this process alone: what the machine did besides is not in it
};

template <class Work>
Measured measure(int runs, Work work) {
  work();
  std::vector<Duration> wall;
  std::vector<Duration> cpu;
  for (int run = 0; run < runs; ++run) {
    const Duration wall_before = clock_now(CLOCK_MONOTONIC);
    const Duration cpu_before = clock_now(CLOCK_PROCESS_CPUTIME_ID);
    work();
    cpu.push_back(clock_now(CLOCK_PROCESS_CPUTIME_ID) - cpu_before);
    wall.push_back(clock_now(CLOCK_MONOTONIC) - wall_before);
  }
  return {median(std::move(wall)), median(std::move(cpu))};
}

}  // namespace interlock::bench

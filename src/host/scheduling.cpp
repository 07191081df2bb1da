#include "host/scheduling.h"

#include <sched.h>
#include <sys/resource.h>

#include <cerrno>

namespace interlock {

Result<void> run_at_once() {
  constexpr rlim_t kMicroseconds = kLongestRun / std::chrono::microseconds(1);
  const rlimit limit{.rlim_cur = kMicroseconds, .rlim_max = kMicroseconds};
  if (::setrlimit(RLIMIT_RTTIME, &limit) != 0)
    return fail_errno(errno, "the limit of real time cannot be set");
  const sched_param priority{.sched_priority = ::sched_get_priority_min(SCHED_RR)};
  if (::sched_setscheduler(0, SCHED_RR | SCHED_RESET_ON_FORK, &priority) != 0) {
    return fail_errno(errno, "the real-time scheduling class is not given");
  }
  return {};
}

void run_early() {
  constexpr int kNiceness = -10;
  static_cast<void>(::setpriority(PRIO_PROCESS, 0, kNiceness));  // what it says is in the header
}

}  // namespace interlock

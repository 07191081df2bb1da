// What the machine below does to a figure of a few hundred microseconds: a processor that rests has to be
// woken, and where a hypervisor does that it takes as long as the hypervisor pleases.
#pragma once

#include <sys/types.h>

#include <vector>

namespace interlock::tests {

/// While it lives, no processor rests: one process for each, which gives way to every other (SCHED_IDLE).
class KeptAwake {
 public:
  KeptAwake();
  KeptAwake(const KeptAwake&) = delete;
  KeptAwake& operator=(const KeptAwake&) = delete;
  ~KeptAwake();

 private:
  std::vector<pid_t> processes_;
};

/// While it lives, a process with the guard's own priority waits for a byte that comes ten times a second,
/// and notes how long after the writing it saw it: the one waking between a sample and its verdict, and
/// nothing else.
class BareWakings {
 public:
  BareWakings();
  BareWakings(const BareWakings&) = delete;
  BareWakings& operator=(const BareWakings&) = delete;
  ~BareWakings();
  /// In microseconds, since it began.
  std::vector<double> so_far() const;

 private:
  std::vector<pid_t> processes_;
  int noted_;
};

}  // namespace interlock::tests

// Children of the bench that do one thing until they are ended.
#pragma once

#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <stdexcept>
#include <vector>

namespace interlock::tests {

struct Pipe {
  int read = -1;
  int write = -1;
};

inline Pipe make_pipe() {
  std::array<int, 2> ends{};
  if (::pipe(ends.data()) != 0) throw std::runtime_error("cannot make a pipe");
  return {ends[0], ends[1]};
}

template <class Work>
pid_t forked(Work work) {
  const pid_t pid = ::fork();
  if (pid < 0) throw std::runtime_error("cannot fork");
  if (pid > 0) return pid;
  if (::prctl(PR_SET_PDEATHSIG, SIGKILL) != 0) ::_exit(1);
  work();
  ::_exit(0);
}

inline void end_all(const std::vector<pid_t>& processes) {
  for (const pid_t pid : processes) ::kill(pid, SIGKILL);
  for (const pid_t pid : processes) ::waitpid(pid, nullptr, 0);
}

}  // namespace interlock::tests

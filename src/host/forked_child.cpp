#include "host/forked_child.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>

namespace interlock {
namespace {

constexpr int kCannotStart = 127;

int pidfd_open(pid_t pid) {
  return static_cast<int>(::syscall(SYS_pidfd_open, pid, 0));
}
int pidfd_send_signal(int pidfd, int signal) {
  return static_cast<int>(::syscall(SYS_pidfd_send_signal, pidfd, signal, nullptr, 0));
}

bool place(int from, int to) {
  const int source = from >= 0 ? from : ::open("/dev/null", O_RDWR | O_CLOEXEC);
  return source >= 0 && ::dup2(source, to) == to;
}

/// Above all the guard's lock: a child that cannot be killed must not keep it from the next daemon.
bool close_all_but(int kept) {
  constexpr unsigned kFirst = STDERR_FILENO + 1;
  if (kept < 0) return ::close_range(kFirst, ~0U, 0) == 0;
  const auto keep = static_cast<unsigned>(kept);
  return (keep == kFirst || ::close_range(kFirst, keep - 1, 0) == 0) && ::close_range(keep + 1, ~0U, 0) == 0;
}

void default_signals() {
  sigset_t none;
  sigemptyset(&none);
  static_cast<void>(::sigprocmask(SIG_SETMASK, &none, nullptr));  // fails only for a wrong `how`
  for (const int signal : {SIGPIPE, SIGHUP, SIGTERM, SIGINT}) static_cast<void>(::signal(signal, SIG_DFL));
}

[[noreturn]] void become_child(const ForkOptions& options, pid_t parent, const std::function<int()>& work) {
  if (options.dies_with_us) {
    // The parent may have died before the request was made; then nobody is left who would want the answer.
    if (::prctl(PR_SET_PDEATHSIG, SIGKILL) != 0 || ::getppid() != parent) ::_exit(kCannotStart);
  }
  if (!place(options.input, STDIN_FILENO) || !place(options.output, STDOUT_FILENO)) ::_exit(kCannotStart);
  if (!close_all_but(options.keep)) ::_exit(kCannotStart);
  static_cast<void>(::setpgid(0, 0));  // fails only for the leader of a session, which no child of a fork is
  default_signals();
  ::_exit(work());
}

}  // namespace

void ChildProcess::kill() const {
  // ESRCH: it has ended. Nothing else can go wrong with a child of ours.
  static_cast<void>(pidfd_send_signal(pidfd_.get(), SIGKILL));
}

std::optional<std::string> ChildProcess::reap() const {
  siginfo_t info{};
  const int waited = ::waitid(P_PIDFD, static_cast<id_t>(pidfd_.get()), &info, WEXITED | WNOHANG);
  if (waited != 0) return fmt::format("its end could not be asked (errno {})", errno);
  if (info.si_pid == 0) return std::nullopt;
  if (info.si_code != CLD_EXITED) return fmt::format("signal {}", info.si_status);
  if (info.si_status != 0) return fmt::format("exit status {}", info.si_status);
  return std::string{};
}

Result<ChildProcess> fork_child(const ForkOptions& options, const std::function<int()>& work) {
  const pid_t parent = ::getpid();
  const pid_t pid = ::fork();
  if (pid < 0) return fail_errno(errno, "fork");
  if (pid == 0) become_child(options, parent, work);
  Fd pidfd(pidfd_open(pid));
  if (!pidfd) {
    const int code = errno;
    // Not yet reaped, so the number is still its own; without a pidfd it can be neither watched nor left
    // behind.
    static_cast<void>(::kill(pid, SIGKILL));
    static_cast<void>(::waitpid(pid, nullptr, 0));
    return fail_errno(code, "pidfd_open");
  }
  return ChildProcess(pid, std::move(pidfd));
}

}  // namespace interlock

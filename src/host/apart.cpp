#include "host/apart.h"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>

#include "host/forked_child.h"
#include "host/pipe.h"

namespace interlock {
namespace {

using Clock = std::chrono::steady_clock;

/// Who reads our standard error would wait for a child that hangs, long after we have ended.
bool let_go_of_standard_error() {
  const Fd nowhere(::open("/dev/null", O_WRONLY | O_CLOEXEC));
  return nowhere && ::dup2(nowhere.get(), STDERR_FILENO) == STDERR_FILENO;
}

int answer(const std::function<std::string()>& work) {
  if (!let_go_of_standard_error()) return 1;
  const std::string text = work();
  for (std::size_t written = 0; written < text.size();) {
    const ssize_t put = ::write(STDOUT_FILENO, text.data() + written, text.size() - written);
    if (put < 0 && errno == EINTR) continue;
    if (put <= 0) return 1;
    written += static_cast<std::size_t>(put);
  }
  return 0;
}

int milliseconds_until(Clock::time_point end) {
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(end - Clock::now());
  return std::max(0, static_cast<int>(left.count()));
}

/// All that is written until the writer ends.
Result<std::string> read_to_end(const Fd& from, Clock::time_point end) {
  std::string text;
  while (Clock::now() < end) {
    pollfd asked{.fd = from.get(), .events = POLLIN, .revents = 0};
    if (::poll(&asked, 1, milliseconds_until(end)) <= 0) continue;
    std::array<char, 4096> buffer{};
    const ssize_t got = ::read(from.get(), buffer.data(), buffer.size());
    if (got == 0) return text;
    if (got < 0 && errno != EINTR && errno != EAGAIN) return fail_errno(errno, "cannot read from a child");
    if (got > 0) text.append(buffer.data(), static_cast<std::size_t>(got));
  }
  return fail_errno(ETIMEDOUT, "no answer");
}

}  // namespace

Result<std::string> run_apart(const std::function<std::string()>& work, Duration deadline, int keep) {
  Pipe pipe = TRY(make_pipe());
  const auto end = Clock::now() + deadline;
  const ChildProcess child =
      TRY(fork_child({.output = pipe.write.get(), .keep = keep}, [&work] { return answer(work); }));
  pipe.write.reset();
  auto text = read_to_end(pipe.read, end);
  if (!text) child.kill();
  pollfd ended{.fd = child.pidfd(), .events = POLLIN, .revents = 0};
  static_cast<void>(::poll(&ended, 1, milliseconds_until(end)));  // at worst it is not there yet to be reaped
  // One that hangs is the kernel's, and init's after us. One that died early gave half a text, which its
  // reader tells by its content.
  static_cast<void>(child.reap());
  return text;
}

}  // namespace interlock

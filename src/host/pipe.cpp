#include "host/pipe.h"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cerrno>

namespace interlock {

Result<Fd> above_standard(Fd fd) {
  if (fd.get() > STDERR_FILENO) return fd;
  Fd moved(::fcntl(fd.get(), F_DUPFD_CLOEXEC, STDERR_FILENO + 1));
  if (!moved) return fail_errno(errno, "cannot duplicate a descriptor");
  return moved;
}

Result<Pipe> make_pipe() {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) return fail_errno(errno, "cannot make a pipe");
  Pipe made{Fd(ends[0]), Fd(ends[1])};
  made.read = TRY(above_standard(std::move(made.read)));
  made.write = TRY(above_standard(std::move(made.write)));
  if (::fcntl(made.read.get(), F_SETFL, O_NONBLOCK) != 0) return fail_errno(errno, "cannot set up a pipe");
  return made;
}

}  // namespace interlock

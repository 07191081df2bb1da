#include "bench/crowd.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/eventfd.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

namespace interlock::bench {
namespace {

Fd open_one(int number) {
  switch (number % 3) {
    case 0:
      return Fd(::open("/dev/null", O_RDONLY | O_CLOEXEC));
    case 1:
      return Fd(::eventfd(0, EFD_CLOEXEC));
    default:
      return Fd(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  }
}

[[noreturn]] void wait_to_be_ended() {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  for (;;) ::pause();
}

}  // namespace

Crowd::Crowd(int processes, int descriptors) {
  constexpr int kStandard = 3;  // input, output and error, which every child has anyway
  for (int number = kStandard; number < descriptors; ++number) open_.push_back(open_one(number));
  for (int number = 0; number < processes; ++number) {
    const pid_t child = ::fork();
    if (child == 0) wait_to_be_ended();
    if (child < 0) break;
    children_.push_back(child);
  }
}

Crowd::~Crowd() {
  // Not waited for yet, each number is still that child's.
  for (const pid_t child : children_) ::kill(child, SIGKILL);
  for (const pid_t child : children_) ::waitpid(child, nullptr, 0);
  if (!cgroup_.empty()) ::rmdir(cgroup_.c_str());
}

bool Crowd::move_into(const std::string& cgroup, int count) {
  std::error_code error;
  std::filesystem::create_directories(cgroup, error);
  if (error) return false;
  cgroup_ = cgroup;
  for (int number = 0; number < count; ++number) {
    std::ofstream procs(cgroup + "/cgroup.procs");
    procs << children_.at(static_cast<std::size_t>(number)) << std::flush;
    if (!procs) return false;
  }
  return true;
}

}  // namespace interlock::bench

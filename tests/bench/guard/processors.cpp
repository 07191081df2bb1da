#include "processors.h"

#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <chrono>
#include <stdexcept>
#include <thread>

#include "forked.h"
#include "host/scheduling.h"

namespace interlock::tests {
namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

void spin_on(unsigned processor) {
  cpu_set_t only;
  CPU_ZERO(&only);
  CPU_SET(processor, &only);
  const sched_param lowest{};
  if (::sched_setaffinity(0, sizeof only, &only) != 0 || ::sched_setscheduler(0, SCHED_IDLE, &lowest) != 0)
    return;
  for (volatile bool forever = true; forever;) {
  }
}

void ask_at_a_pace(int ask) {
  for (;;) {
    std::this_thread::sleep_for(100ms);
    const auto now = Clock::now();
    if (::write(ask, &now, sizeof now) != sizeof now) return;
  }
}

void note_wakings(int asked, int noted) {
  for (Clock::time_point written; ::read(asked, &written, sizeof written) == sizeof written;) {
    const double us = std::chrono::duration<double, std::micro>(Clock::now() - written).count();
    if (::write(noted, &us, sizeof us) != sizeof us) return;
  }
}

}  // namespace

KeptAwake::KeptAwake() {
  for (unsigned i = 0; i < std::thread::hardware_concurrency(); ++i)
    processes_.push_back(forked([i] { spin_on(i); }));
}

KeptAwake::~KeptAwake() {
  end_all(processes_);
}

BareWakings::BareWakings() : noted_(::memfd_create("wakings", MFD_CLOEXEC)) {
  const Pipe ask = make_pipe();
  if (noted_ < 0) throw std::runtime_error("cannot keep what is measured");
  processes_.push_back(forked([&] {
    if (run_at_once()) note_wakings(ask.read, noted_);
  }));
  processes_.push_back(forked([&] {
    if (run_at_once()) ask_at_a_pace(ask.write);
  }));
  ::close(ask.read);
  ::close(ask.write);
}

BareWakings::~BareWakings() {
  end_all(processes_);
  ::close(noted_);
}

std::vector<double> BareWakings::so_far() const {
  struct stat status{};
  if (::fstat(noted_, &status) != 0) throw std::runtime_error("cannot read what was measured");
  std::vector<double> all(static_cast<std::size_t>(status.st_size) / sizeof(double));
  const std::size_t bytes = all.size() * sizeof(double);
  if (::pread(noted_, all.data(), bytes, 0) != static_cast<ssize_t>(bytes))
    throw std::runtime_error("cannot read what was measured");
  return all;
}

}  // namespace interlock::tests

// gpu-interlock-reader: reads one card's sensors, once for each byte on its standard input, and writes one
// record for each to its standard output. It judges nothing, and holds no lock and no socket: when a read
// hangs in the kernel, this process hangs, and nothing else. It ends when its daemon does.
#include <fmt/format.h>
#include <getopt.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <string>

#include "observe/sample_wire.h"
#include "observe/sensor_files.h"

namespace {

using namespace interlock;

constexpr int kUsage = 2;

struct Options {
  std::string root = "/";
  std::optional<PciAddress> pci;
};

std::optional<Options> parse_options(int argc, char** argv) {
  Options options;
  const std::array<option, 3> known{{{"root", required_argument, nullptr, 'r'},
                                     {"pci", required_argument, nullptr, 'p'},
                                     {nullptr, 0, nullptr, 0}}};
  for (int found = 0; (found = getopt_long(argc, argv, "", known.data(), nullptr)) != -1;) {
    if (found == 'r') {
      options.root = optarg;
    } else if (found == 'p') {
      options.pci = PciAddress::parse(optarg);
    } else {
      return std::nullopt;
    }
  }
  if (optind != argc || !options.pci) return std::nullopt;
  return options;
}

Instant now() {
  timespec at{};
  if (clock_gettime(CLOCK_BOOTTIME, &at) != 0) std::abort();  // every Linux since 2.6.39 has it
  return Instant{std::chrono::seconds(at.tv_sec) + std::chrono::nanoseconds(at.tv_nsec)};
}

/// True: at least one byte came, so that a sample is wanted. Several mean one: the older ones are no longer
/// awaited.
bool asked() {
  std::array<char, 64> bytes;  // NOLINT(cppcoreguidelines-pro-type-member-init): read(2) fills it
  ssize_t got = 0;
  do {
    got = ::read(STDIN_FILENO, bytes.data(), bytes.size());
  } while (got < 0 && errno == EINTR);
  return got > 0;
}

}  // namespace

int main(int argc, char** argv) {
  const auto options = parse_options(argc, argv);
  if (!options) {
    fmt::print(stderr, "usage: gpu-interlock-reader [--root DIR] --pci ADDRESS\n");
    return kUsage;
  }
  // Its standard input ends with the daemon too; this also ends a reader that is not listening just then.
  if (::prctl(PR_SET_PDEATHSIG, SIGKILL) != 0) return 1;
  observe::SensorFiles files(options->root, *options->pci);
  while (asked()) {
    const std::string record = observe::encode_sample(files.look(now()));
    // Shorter than PIPE_BUF, so it is written whole or not at all.
    if (::write(STDOUT_FILENO, record.data(), record.size()) != static_cast<ssize_t>(record.size())) return 1;
  }
  return 0;
}

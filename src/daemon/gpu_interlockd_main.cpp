// gpu-interlockd: the guard as a service. Exit status 0: told to stop; 1: it could not start, and said why;
// 2: usage.
#include <fmt/format.h>
#include <getopt.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <string>

#include "act/shed.h"
#include "base/text.h"
#include "daemon/guard.h"
#include "host/linux_host.h"
#include "host/paths.h"
#include "host/scheduling.h"

namespace {

using namespace interlock;
using namespace interlock::daemon;

constexpr int kFailed = 1;
constexpr int kUsage = 2;
constexpr mode_t kRunFolder = 0755;
constexpr const char* kUsageText =
    "usage: gpu-interlockd [--policy FILE] [--root DIR]\n"
    "The thermal guard, in the foreground until SIGTERM; see gpu-interlockd(8).\n";

struct Options {
  std::string root = "/";
  std::string policy;
  bool help = false;
};

std::optional<Options> parse_options(int argc, char** argv) {
  Options options;
  if (const char* root = std::getenv("GPU_INTERLOCK_ROOT"); root != nullptr && *root != '\0')
    options.root = root;
  const std::array<option, 4> known{{{"help", no_argument, nullptr, 'h'},
                                     {"root", required_argument, nullptr, 'r'},
                                     {"policy", required_argument, nullptr, 'p'},
                                     {nullptr, 0, nullptr, 0}}};
  for (int found = 0; (found = getopt_long(argc, argv, "", known.data(), nullptr)) != -1;) {
    if (found == 'r') {
      options.root = optarg;
    } else if (found == 'p') {
      options.policy = optarg;
    } else if (found == 'h') {
      options.help = true;
    } else {
      return std::nullopt;
    }
  }
  return optind == argc ? std::optional(options) : std::nullopt;
}

/// They then arrive through the loop alone, and a reader that has just ended is an error to its caller, not
/// to us.
void route_signals() {
  sigset_t routed;
  sigemptyset(&routed);
  for (const int signal : {SIGTERM, SIGINT, SIGHUP}) sigaddset(&routed, signal);
  static_cast<void>(sigprocmask(SIG_BLOCK, &routed, nullptr));  // fails only for a wrong `how`
  static_cast<void>(signal(SIGPIPE, SIG_IGN));
}

/// Long enough for who only asks whether the guard runs, and for a child that a killed guard had just begun.
constexpr Duration kLockPatience = std::chrono::milliseconds(500);

Result<std::unique_ptr<HeldLock>> only_copy(Host& host) {
  TRY(host.make_folder(paths::kRun, kRunFolder));
  auto lock = host.lock(paths::kGuardLock, kLockPatience);
  if (!lock && lock.error().code == EWOULDBLOCK) {
    return fail("another gpu-interlockd runs already: it holds {}", paths::kGuardLock);
  }
  return lock;
}

Result<int> run(const Options& options, ServiceManager& manager) {
  const auto at_once = in_context(run_at_once(), "the guard may be late while the host is busy");
  if (!at_once) run_early();
  const auto host = TRY(make_linux_host(options.root));
  const auto lock = TRY(only_copy(*host));
  // Whatever comes of this start: what a run before froze must not stay so.
  const auto thawed = act::thaw_leftovers(*host);
  PolicySource source(*host, options.policy);
  auto policy = TRY(source.load_or_kept());
  const auto kept = policy.broken.empty() ? source.keep(policy.policy) : Result<void>{};
  const auto readers = TRY(ReaderProgram::beside_ourselves(options.root));
  const auto loop = TRY(EventLoop::make());
  const auto boot_id = host->read_file(paths::kBootId);

  Guard guard(*loop, *host, readers, source, manager,
              {.root = options.root,
               .boot_id = boot_id ? std::string(trimmed(*boot_id)) : std::string(),
               .policy = std::move(policy)});
  for (const auto* result : {&at_once, &thawed, &kept}) {
    if (!*result) guard.complain(result->error().message);
  }
  const auto stop = [&] {
    guard.end();
    loop->stop(0);
  };
  const Watch on_terminate = loop->signal(SIGTERM, stop);
  const Watch on_interrupt = loop->signal(SIGINT, stop);
  const Watch on_hangup = loop->signal(SIGHUP, [&] {
    guard.reload_policy([](const Result<void>&) {});  // told in the log
  });
  TRY(guard.begin());
  return loop->run();
}

}  // namespace

int main(int argc, char** argv) {
  const auto options = parse_options(argc, argv);
  if (!options) {
    fmt::print(stderr, "{}", kUsageText);
    return kUsage;
  }
  if (options->help) {
    fmt::print("{}", kUsageText);
    return 0;
  }
  route_signals();
  ServiceManager manager = ServiceManager::from_environment();
  const auto code = run(*options, manager);
  if (code) return *code;
  fmt::print(stderr, "gpu-interlockd cannot start: {}\n", code.error().message);
  manager.status("cannot start: " + code.error().message);
  return kFailed;
}

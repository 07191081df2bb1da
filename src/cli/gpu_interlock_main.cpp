// gpu-interlock: the command line.
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <iostream>
#include <optional>
#include <string>
#include <vector>

#include "cli/app.h"
#include "cli/snapshot_host.h"
#include "host/linux_host.h"

namespace {

volatile std::sig_atomic_t first_signal = 0;

void note_signal(int number) {
  if (first_signal == 0) first_signal = number;
}

/// A cutover that is told to end comes to a safe place by itself; every other command ends at once, as usual.
interlock::act::ToldToStop heed_signals() {
  struct sigaction noted{};
  noted.sa_handler = note_signal;
  noted.sa_flags = SA_RESTART;
  for (const int number : {SIGTERM, SIGINT}) {
    struct sigaction before{};
    if (::sigaction(number, nullptr, &before) == 0 && before.sa_handler == SIG_IGN)
      continue;                                               // as under nohup
    static_cast<void>(::sigaction(number, &noted, nullptr));  // fails only for a wrong number
  }
  return []() -> std::optional<std::string> {
    if (first_signal == 0) return std::nullopt;
    return first_signal == SIGINT ? "SIGINT" : "SIGTERM";
  };
}

std::string environment(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

bool confirmed(const std::string& question) {
  std::cout << question << " [y/N] " << std::flush;
  std::string answer;
  if (!std::getline(std::cin, answer)) return false;
  return answer == "y" || answer == "Y" || answer == "yes";
}

}  // namespace

int main(int count, char** values) {
  using namespace interlock;
  // A connection that drops, or a pager that ends, must not end a cutover half way.
  static_cast<void>(std::signal(SIGHUP, SIG_IGN));   // fails only for a wrong number
  static_cast<void>(std::signal(SIGPIPE, SIG_IGN));  // as above

  const auto request = cli::parse_command_line(std::vector<std::string>(values + 1, values + count),
                                               environment("GPU_INTERLOCK_ROOT"));
  cli::Outcome outcome = request.early;
  if (request.action) {
    auto host = make_linux_host(request.globals.root);
    if (host) host = cli::as_it_was(*std::move(host));
    if (host) {
      const bool terminal = ::isatty(STDOUT_FILENO) == 1;
      cli::Context context{.globals = request.globals, .host = **host};
      context.style.colour = terminal && !request.globals.json && environment("NO_COLOR").empty();
      context.interactive = terminal && ::isatty(STDIN_FILENO) == 1 && !request.globals.json;
      context.terminal = terminal;
      context.live = terminal && !request.globals.json;
      context.out = &std::cout;
      context.confirm = confirmed;
      context.heed_signals = heed_signals;
      outcome = request.action(context);
      if (outcome.exit == cli::exits::kUnreadable && ::geteuid() != 0)
        outcome.remarks.push_back({"this was not run as root, who alone may read all that is needed"});
    } else {
      outcome = cli::failed(cli::exits::kUsage, host.error().message);
    }
  }
  cli::print(outcome, request.globals.json, std::cout, std::cerr);
  return outcome.exit;
}

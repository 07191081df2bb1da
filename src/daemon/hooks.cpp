#include "daemon/hooks.h"

#include <sys/resource.h>

#include "host/linux_host.h"

namespace interlock::daemon {
namespace {

using namespace std::chrono_literals;

constexpr Duration kHookDeadline = 10s;
constexpr Duration kSlack = 2s;  // the child kills its command by itself; then we kill the child

int run_here(const std::string& root, const Argv& command, const std::string& input) {
  static_cast<void>(::setpriority(PRIO_PROCESS, 0, 0));  // the guard comes first, its commands do not
  const auto host = make_linux_host(root);
  const auto end = host ? (*host)->run({.argv = command, .input = input, .deadline = kHookDeadline})
                        : Result<CommandEnd>(std::unexpected(host.error()));
  if (end && end->success()) return 0;
  static_cast<void>(
      answer_line(end ? end->text() : end.error().message));  // the exit status says that it failed
  return 1;
}

}  // namespace

Hooks::Hooks(EventLoop& loop, LeftBehind& left_behind, std::string root, OnTrouble on_trouble)
    : loop_(loop), left_behind_(left_behind), root_(std::move(root)), on_trouble_(std::move(on_trouble)) {}

void Hooks::run(const std::vector<Argv>& commands, const std::string& input) {
  for (const Argv& command : commands) run(command, input);
}

void Hooks::run(const Argv& command, const std::string& input) {
  if (running_.size() >= kMost) {
    ++dropped_;
    return;
  }
  running_.emplace_front();
  const auto place = running_.begin();
  const auto text = std::make_shared<std::string>();
  auto task = ChildTask::start(
      loop_, left_behind_,
      {.what = "hook", .deadline = loop_.now() + kHookDeadline + kSlack, .dies_with_us = false},
      [&] { return run_here(root_, command, input); }, [text](std::string_view line) { *text = line; },
      [this, place, text, name = command.front()](const std::string& trouble) {
        running_.erase(place);
        if (!trouble.empty()) {
          on_trouble_(fmt::format("{}: {}", name, text->empty() ? trouble : *text));
        }
      });
  if (task) {
    *place = *std::move(task);
    return;
  }
  running_.erase(place);
  on_trouble_(fmt::format("{}: {}", command.front(), task.error().message));
}

}  // namespace interlock::daemon

#include "daemon/restart_worker.h"

#include "act/pct.h"
#include "base/text.h"
#include "host/linux_host.h"
#include "host/paths.h"

namespace interlock::daemon {
namespace {

/// "120/llamacpp.service" in its two halves; the second may be empty.
struct Shed {
  std::string where;
  std::string unit;
};

Shed halves(const std::string& text) {
  const auto slash = text.find('/');
  if (slash == std::string::npos) return {text, {}};
  return {text.substr(0, slash), text.substr(slash + 1)};
}

std::string outcome(const std::string& what, const Result<CommandEnd>& end) {
  if (!end) return fmt::format("{} could not be started again: {}", what, end.error().message);
  if (!end->success()) return fmt::format("{} could not be started again: {}", what, end->text());
  return what + " starts again";
}

std::string start(Host& host, const Shed& shed, const Timing& timing) {
  act::Pct pct(host);
  const auto vmid = Vmid::parse(shed.where);
  if (!vmid) {
    return outcome(shed.unit, host.run({.argv = {paths::kSystemctl, "start", "--no-block", "--", shed.unit},
                                        .input = {},
                                        .deadline = timing.command}));
  }
  if (shed.unit.empty()) return outcome("container " + shed.where, pct.start(*vmid, timing.start));
  return outcome(shed.where + "/" + shed.unit,
                 pct.systemctl(*vmid, {"start", "--no-block", "--", shed.unit}, timing.command));
}

int start_all(const std::string& root, const std::set<std::string>& shed, const Timing& timing) {
  const auto host = make_linux_host(root);
  if (!host) return 1;
  // In order, "120" stands before "120/llamacpp.service": a container before what runs in it.
  for (const std::string& one : shed) {
    static_cast<void>(answer_line(start(**host, halves(one), timing)));  // it is started whoever listens
  }
  return 0;
}

}  // namespace

RestartWorker::RestartWorker(EventLoop& loop, LeftBehind& left_behind, std::string root, OnStarted on_started)
    : loop_(loop), left_behind_(left_behind), root_(std::move(root)), on_started_(std::move(on_started)) {}

void RestartWorker::begin(const std::set<std::string>& shed, const Timing& timing) {
  const auto calls = static_cast<Duration::rep>(shed.size() + 1);
  auto task = ChildTask::start(
      loop_, left_behind_,
      {.what = "restart worker", .deadline = loop_.now() + calls * (timing.start + timing.command)},
      [&] { return start_all(root_, shed, timing); },
      [this](std::string_view line) { on_started_(std::string(line)); },
      [this](const std::string& trouble) {
        task_.reset();
        if (!trouble.empty()) on_started_("what was shed could not all be started again: " + trouble);
      });
  if (task) {
    task_ = *std::move(task);
  } else {
    on_started_("what was shed could not be started again: " + task.error().message);
  }
}

}  // namespace interlock::daemon

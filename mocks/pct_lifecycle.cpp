// start, stop, shutdown, reboot: Proxmox's task verbs (pct.md, 1.5 to 1.8, 1.12).
#include <fmt/format.h>

#include "base/text.h"
#include "mocks/grants.h"
#include "mocks/pct_parts.h"

namespace interlock::mocks::verbs {
namespace {

constexpr Duration kForEver = std::chrono::hours(24);
constexpr Duration kHaRound = std::chrono::seconds(10);

bool is_running(const Machine& machine, int vmid) {
  const Container* container = machine.model.container(vmid);
  return container != nullptr && container->running();
}

CommandEnd no_lock(int vmid) {
  return failed(255, fmt::format("can't lock file '{}' - got timeout\n", lock_path(vmid)),
                "trying to acquire lock...\n");
}

/// A worker with its container's lock; `end` gives both back, reap_workers() does so when nobody is there to.
class Task {
 public:
  Task(Machine& machine, int vmid, const std::string& type) : machine_(machine), vmid_(vmid) {
    pid_ = machine.begin_worker(vmid, type);
    locked_ = machine.take_lock(lock_path(vmid), std::chrono::seconds(10));
  }
  bool locked() const { return locked_; }
  CommandEnd end(CommandEnd end) {
    if (locked_) machine_.release_lock(lock_path(vmid_));
    machine_.end_worker(pid_);
    return end;
  }

 private:
  Machine& machine_;
  int vmid_;
  int pid_ = 0;
  bool locked_ = false;
};

/// Asked of the HA manager, which does it in its own time.
CommandEnd ask_ha(Machine& machine, int vmid, bool start) {
  const auto file = machine.model.files.find("/etc/pve/ha/resources.cfg");
  std::string text;
  bool inside = false;
  for (const std::string_view line : lines_of(file->second.text)) {
    const bool header = !line.empty() && line.front() != ' ' && line.front() != '\t';
    if (inside && !header && trimmed(line).starts_with("state")) continue;
    inside = header ? trimmed(line) == fmt::format("ct: {}", vmid) : inside;
    text += fmt::format("{}\n", line);
    if (header && inside) text += fmt::format("\tstate {}\n", start ? "started" : "stopped");
  }
  machine.store(file->first, std::move(text), 0640);
  Event event;
  event.kind = start ? Event::Kind::container_start : Event::Kind::container_stop;
  event.vmid = vmid;
  machine.later(kHaRound, std::move(event));
  return done(fmt::format("Requesting HA {} for CT {}\n", start ? "start" : "stop", vmid));
}

std::optional<CommandEnd> refused_by_lock(Machine& machine, int vmid, bool skip) {
  const std::string lock = lock_of(machine, vmid);
  if (skip || lock.empty()) return std::nullopt;
  return failed(255, fmt::format("CT is locked ({})\n", lock));
}

CommandEnd bring_up(Machine& machine, int vmid) {
  if (const auto why = machine.start_container(vmid, true)) {
    if (why->starts_with("Device ")) return failed(255, *why + "\n");
    return failed(255, fmt::format("startup for container '{}' failed\n", vmid), *why + "\n");
  }
  machine.judge_changes();
  machine.pass(machine.model.pace.container_start);
  if (!is_running(machine, vmid))
    return failed(255, fmt::format("startup for container '{}' failed\n", vmid));
  return done();
}

/// lxc-stop --nokill, and Proxmox's wait behind it; with `kill`, the hard stop at the end of the time.
CommandEnd bring_down(Machine& machine, int vmid, std::int64_t timeout, bool kill) {
  machine.shut_down_container(vmid);
  const auto stopped = [&] { return machine.fully_stopped(vmid); };
  if (machine.wait_until(stopped, std::chrono::seconds(timeout))) return done();
  if (kill) {
    machine.kill_container(vmid);
    machine.judge_changes();
    static_cast<void>(machine.wait_until(stopped, kForEver));  // what is seen afterwards counts
    return done();
  }
  if (machine.wait_until(stopped, std::chrono::seconds(timeout + 5))) return done();
  return failed(
      255, "container did not stop\n",
      fmt::format("command 'lxc-stop -n {} --nokill --timeout {}' failed: exit code 1\n", vmid, timeout));
}

std::optional<CommandEnd> read_options(std::string_view verb, const std::vector<std::string>& words,
                                       const std::vector<Known>& known, Arguments& arguments) {
  const auto option = parse_arguments(words, known, arguments);
  if (!option) return std::nullopt;
  return failed(2, fmt::format("Unknown option: {}\n400 unable to parse option\npct {} <vmid> [OPTIONS]\n",
                               *option, verb));
}

std::int64_t timeout_of(const Arguments& arguments) {
  const std::string* text = arguments.option("timeout");
  const auto seconds = text == nullptr ? std::nullopt : parse_number<std::int64_t>(*text);
  return seconds ? *seconds : 60;
}

}  // namespace

CommandEnd start(Machine& machine, int vmid, const std::vector<std::string>& words) {
  Arguments arguments;
  if (auto wrong = read_options("start", words, {{"skiplock", true}, {"debug", true}}, arguments))
    return *wrong;
  if (is_running(machine, vmid)) return failed(255, fmt::format("CT {} already running\n", vmid));
  if (!machine.model.quorate) return failed(255, "cluster not ready - no quorum?\n");
  if (ha_state(machine.model, vmid)) return ask_ha(machine, vmid, true);
  if (is_template(machine, vmid)) return failed(255, "you can't start a CT if it's a template\n");
  const bool mounted = lock_of(machine, vmid) == "mounted";
  if (auto locked = refused_by_lock(machine, vmid, mounted || arguments.flag("skiplock"))) return *locked;
  Task task(machine, vmid, "vzstart");
  if (!task.locked()) return task.end(no_lock(vmid));
  if (is_running(machine, vmid)) return task.end(failed(255, fmt::format("CT {} already running\n", vmid)));
  return task.end(bring_up(machine, vmid));
}

CommandEnd stop(Machine& machine, int vmid, const std::vector<std::string>& words) {
  Arguments arguments;
  if (auto wrong = read_options("stop", words, {{"skiplock", true}, {"overrule-shutdown", true}}, arguments))
    return *wrong;
  if (!is_running(machine, vmid)) return failed(255, fmt::format("CT {} not running\n", vmid));
  if (ha_state(machine.model, vmid)) return ask_ha(machine, vmid, false);
  const bool mounted = lock_of(machine, vmid) == "mounted";
  if (auto locked = refused_by_lock(machine, vmid, mounted || arguments.flag("skiplock"))) return *locked;
  Task task(machine, vmid, "vzstop");
  if (!task.locked()) return task.end(no_lock(vmid));
  machine.kill_container(vmid);
  machine.judge_changes();
  static_cast<void>(
      machine.wait_until([&] { return machine.fully_stopped(vmid); }, kForEver));  // no limit of its own
  return task.end(done());
}

CommandEnd shutdown(Machine& machine, int vmid, const std::vector<std::string>& words) {
  Arguments arguments;
  if (auto wrong = read_options("shutdown", words, {{"timeout", false}, {"forceStop", true}}, arguments))
    return *wrong;
  if (!is_running(machine, vmid)) return failed(255, fmt::format("CT {} not running\n", vmid));
  if (ha_state(machine.model, vmid)) return ask_ha(machine, vmid, false);
  if (auto locked = refused_by_lock(machine, vmid, false)) return *locked;
  Task task(machine, vmid, "vzshutdown");
  if (!task.locked()) return task.end(no_lock(vmid));
  return task.end(bring_down(machine, vmid, timeout_of(arguments), arguments.flag("forceStop")));
}

CommandEnd reboot(Machine& machine, int vmid, const std::vector<std::string>& words) {
  Arguments arguments;
  if (auto wrong = read_options("reboot", words, {{"timeout", false}}, arguments)) return *wrong;
  if (!is_running(machine, vmid)) return failed(255, fmt::format("VM {} not running\n", vmid));
  Task task(machine, vmid, "vzreboot");
  if (!task.locked()) return task.end(no_lock(vmid));
  CommandEnd down = bring_down(machine, vmid, timeout_of(arguments), true);
  if (!down.success()) return task.end(std::move(down));
  return task.end(bring_up(machine, vmid));
}

}  // namespace interlock::mocks::verbs

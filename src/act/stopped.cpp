#include "act/stopped.h"

#include <chrono>

#include "act/cgroup.h"
#include "base/text.h"
#include "host/paths.h"
#include "pve/pct_output.h"

namespace interlock::act {
namespace {

using namespace std::chrono_literals;

constexpr Duration kPause = 1s;
constexpr Duration kAfterStop =
    30s;  // the monitor's end, its post-stop hook, and a container that reboots itself

/// lxc's monitor has ended with its hooks, of which the last writes the configuration back (pct.md, section
/// 2).
Result<bool> monitor_ended(Host& host, Vmid vmid) {
  const std::string service = fmt::format("pve-container@{}.service", vmid.text());
  const std::string debug = fmt::format("pve-container-debug@{}.service", vmid.text());
  const auto call =
      host.run({.argv = {paths::kSystemctl, "show", "--property=Id,ActiveState", "--", service, debug},
                .input = {},
                .deadline = 10s});
  if (!call && is_missing(call.error()) && host.rooted())
    return true;  // a folder without a systemd of its own
  if (!call) return std::unexpected(in_context(call.error(), service));
  std::size_t ended = 0;
  for (const std::string_view line : lines_of(call->output)) {
    if (line == "ActiveState=inactive" || line == "ActiveState=failed") ++ended;
  }
  return ended == 2;
}

}  // namespace

Seen seen_stopped(Host& host, Vmid vmid) {
  const auto not_yet = [](std::string why) { return Seen{Seen::How::not_yet, std::move(why)}; };
  const auto sockets = host.read_file(paths::kUnixSockets);
  if (!sockets) return not_yet(sockets.error().message);
  const auto running = pve::parse_running(*sockets);
  if (!running) return not_yet(running.error().message);
  if (running->contains(vmid)) return not_yet("it still runs");
  // A reboot from inside looks like a stop for a moment (pct.md, 5.6).
  const auto reboots = host.info(fmt::format("/var/lib/lxc/{}/reboot", vmid.text()));
  if (reboots) return not_yet("it is rebooting itself");
  if (!is_missing(reboots.error())) return not_yet(reboots.error().message);
  const auto processes = has_processes(host, "/lxc/" + vmid.text());
  if (!processes) return not_yet(processes.error().message);
  if (*processes) return not_yet("processes of it are left");
  const auto ended = monitor_ended(host, vmid);
  if (!ended) return not_yet(ended.error().message);
  if (!*ended) return not_yet("its stop is not over: Proxmox's hook is still at work");
  return {Seen::How::so, "it is stopped, and no process of it is left"};
}

Outcome stays_stopped(Host& host, Vmid vmid) {
  return seen_within(host, kAfterStop, kPause, [&] { return seen_stopped(host, vmid); });
}

}  // namespace interlock::act

#include "act/gate_install.h"

#include <fmt/format.h>

#include "host/paths.h"

namespace interlock::act {
namespace {

constexpr const char* kDropIn =
    "# Refuses the start of a container whose card belongs to another: gpu-interlock-gate(8).\n"
    "[Service]\n"
    "ExecStartPre=/usr/sbin/gpu-interlock-gate %i\n";
constexpr const char* kHook =
    "# Refuses the start of a container whose card belongs to another: gpu-interlock-gate(8).\n"
    "lxc.hook.pre-start = /usr/sbin/gpu-interlock-gate\n";
constexpr Duration kReloadDeadline = std::chrono::seconds(30);

std::vector<GatePlace> places() {
  return {{"/etc/systemd/system/pve-container@.service.d/gpu-interlock.conf",
           "starts by Proxmox",
           kDropIn,
           {},
           {}},
          {"/etc/systemd/system/pve-container-debug@.service.d/gpu-interlock.conf",
           "starts in debug mode",
           kDropIn,
           {},
           {}},
          {"/usr/share/lxc/config/common.conf.d/gpu-interlock.conf", "starts by lxc itself", kHook, {}, {}}};
}

std::string folder_of(const std::string& path) {
  return path.substr(0, path.rfind('/'));
}

Result<void> reload_systemd(Host& host) {
  const auto end =
      host.run({.argv = {paths::kSystemctl, "daemon-reload"}, .input = {}, .deadline = kReloadDeadline});
  if (!end && is_missing(end.error()) && host.rooted()) return {};  // a folder without a systemd
  if (!end) return std::unexpected(in_context(end.error(), "systemd was not told to read its units again"));
  if (!end->success()) return fail("systemd was not told to read its units again: {}", end->text());
  return {};
}

}  // namespace

std::vector<GatePlace> gate_places(Host& host) {
  auto found = places();
  for (GatePlace& place : found) {
    const auto text = host.read_file(place.path);
    if (text) {
      place.installed = truth(*text == place.content);
    } else if (is_missing(text.error())) {
      place.installed = Truth::no;
    } else {
      place.why = text.error().message;
    }
  }
  return found;
}

Result<void> install_gate(Host& host) {
  for (const GatePlace& place : gate_places(host)) {
    if (place.installed == Truth::yes) continue;
    TRY(host.make_folder(folder_of(place.path), 0755));
    TRY(host.replace_file(place.path, place.content, 0644, Durability::synced));
  }
  return reload_systemd(host);
}

Result<void> remove_gate(Host& host) {
  for (const GatePlace& place : places()) {
    auto removed = host.remove_file(place.path);
    if (!removed && !is_missing(removed.error())) return removed;
  }
  return reload_systemd(host);
}

}  // namespace interlock::act

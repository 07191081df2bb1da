#include "observe/gate_places.h"

namespace interlock::observe {
namespace {

constexpr const char* kDropIn =
    "# Refuses the start of a container whose card belongs to another: gpu-interlock-gate(8).\n"
    "[Service]\n"
    "ExecStartPre=/usr/sbin/gpu-interlock-gate %i\n";
constexpr const char* kHook =
    "# Refuses the start of a container whose card belongs to another: gpu-interlock-gate(8).\n"
    "lxc.hook.pre-start = /usr/sbin/gpu-interlock-gate\n";

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
      place.installed = Truth::unknown;
      place.why = text.error().message;
    }
  }
  return found;
}

std::optional<std::vector<std::string>> gate_gaps(Host& host) {
  std::vector<std::string> gaps;
  for (const GatePlace& place : gate_places(host)) {
    if (place.installed == Truth::unknown) return std::nullopt;
    if (place.installed == Truth::no) gaps.push_back(place.starts);
  }
  return gaps;
}

}  // namespace interlock::observe

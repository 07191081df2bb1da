// lxc's device rules: who may open a device node inside a container (lxc.container.conf(5); lxc,
// src/lxc/cgroups/ cgroup2_devices.c and cgfsng.c, device_cgroup_rule_parse).
#pragma once

#include <compare>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace interlock::pve {

/// A character device's number.
struct DeviceNumber {
  unsigned major = 0;
  unsigned minor = 0;
  auto operator<=>(const DeviceNumber&) const = default;
};

/// One `lxc.cgroup2.devices.{allow,deny}`, or the same of version 1.
struct DeviceRule {
  bool allow = false;
  bool everything = false;        // "a" alone: forgets all rules before it
  char type = 'a';                // 'a', 'b' or 'c'
  std::optional<unsigned> major;  // nothing: every one
  std::optional<unsigned> minor;
  std::string path;    // path form, "/dev/dri/renderD129 rw": its number is known when the container starts
  std::string access;  // of r, w, m
  bool version1 = false;  // lxc.cgroup.devices.*
  std::string line;       // as it stands; of a devN line, that line: devN brings its rule along
  bool operator==(const DeviceRule&) const = default;
};

/// The number of a node on the host, links followed. Nothing: no such device.
using NumberOf = std::function<std::optional<DeviceNumber>(const std::string& path)>;

/// "c 226:* rwm", "a", "/dev/dri/renderD129 rw". Nothing: not a rule, and the container cannot start.
std::optional<DeviceRule> parse_device_rule(std::string_view value);

/// A process may open the character device. `allow_first`: everything is allowed before the first rule (an
/// unprivileged container), else nothing is. With rules of both versions, either is enough: which one counts
/// is the kernel's affair.
bool rules_permit(const std::vector<DeviceRule>& rules, bool allow_first, DeviceNumber number,
                  const NumberOf& number_of);

}  // namespace interlock::pve

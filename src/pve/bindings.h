// What a configuration gives its container (pct.md, section 6; cases/bindings.md), as far as its text says:
// host paths and device rules, not yet cards. Who can look at the host resolves each path, asks permits() for
// its device number, and makes a Binding of it:
//
//   Grants given = grants_of(parse_config(text), read_included);
//   for (const Grant& grant : given.grants)
//     Binding{form, when, line, source, cards = <what the path is now>, every_card = <it is a folder>,
//             permitted = permitted(given, grant, <major:minor of the card's node>, number_of),
//             live_after_removal = grant.until_stop}
//
// A folder whose cards differ in `permitted` becomes two Bindings of one line. A grant that is `until_stop`
// of a container seen stopped gives nothing any more: its next start takes it away first.
#pragma once

#include <compare>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "model/container.h"
#include "pve/config.h"

namespace interlock::pve {

/// A character device's number.
struct DeviceNumber {
  unsigned major = 0;
  unsigned minor = 0;
  auto operator<=>(const DeviceNumber&) const = default;
};

/// One way in which the text gives the container something of the host.
struct Grant {
  Binding::Form form = Binding::Form::mount_entry;  // `included`: from an lxc.include or lxc.mount.fstab file
  Binding::When when = Binding::When::now;
  std::string line;    // the whole line as it stands, without its end; of an included file: that file's line
  std::string origin;  // the included file's path, or the snapshot's name; empty otherwise
  std::string source;  // the host's path, escapes decoded; links are not yet followed
  std::string target;  // where it appears inside the container, with a leading '/'
  bool may_be_folder = false;  // a bind of whatever is there; devN takes nodes only
  bool optional = false;       // the container starts without it when the source is missing (S08)
  bool until_stop = false;     // [pve:pending] deletes or changes it: held until the container stops (B15)
  bool operator==(const Grant&) const = default;
};

/// One `lxc.cgroup2.devices.{allow,deny}`, or the same of version 1 (lxc.container.conf(5); kernel:
/// Documentation/admin-guide/cgroup-v1/devices.rst).
struct DeviceRule {
  bool allow = false;
  bool everything = false;        // "a": forgets all rules before it
  bool block = false;             // "b": never a card
  std::optional<unsigned> major;  // nothing: every one
  std::optional<unsigned> minor;
  std::string path;  // path form, "/dev/dri/renderD129 rw": its numbers are known when the container starts
  bool usable = false;    // r or w: what it takes to open the node; m alone only makes one
  bool version1 = false;  // lxc.cgroup.devices.*
  std::string line;
  bool operator==(const DeviceRule&) const = default;
};

struct Grants {
  std::vector<Grant> grants;  // main section first, in the file's order
  std::vector<DeviceRule>
      rules;                    // of the main section and the pending one, in order, included files in place
  bool unprivileged = false;    // then everything is allowed before the first rule; otherwise nothing is
  bool may_make_nodes = false;  // privileged, mknod not dropped, and rules that allow a card's device class
  bool lxc_start_auto = false;  // lxc.start.auto (pct.md, 5.9)
  std::vector<std::string>
      unprovable;  // lines whose effect is not in the text: hooks, files that cannot be read
  std::vector<std::string>
      ineffective;  // lines that look like ours and mean nothing, or stop the start: "LINE: why"
};

/// The text of a file that the configuration names (lxc.include, lxc.mount.fstab).
using TextOf = std::function<Result<std::string>(const std::string& path)>;
/// The number of a node on the host, links followed. Nothing: no such device.
using NumberOf = std::function<std::optional<DeviceNumber>(const std::string& path)>;

Grants grants_of(const ConfigFile& config, const TextOf& included);

/// The same of /var/lib/lxc/<vmid>/config, which lxc itself reads: `key = value` lines, no sections, no devN.
Grants generated_grants(std::string_view text, const TextOf& included);

/// /var/lib/lxc/<vmid>/config lacks a raw line of the main section, or binds a card's path that the main
/// section does not: what `lxc-start` or a plain `systemctl start` would use is not what the configuration
/// says.
bool generated_is_stale(const ConfigFile& config, std::string_view generated);

/// The device rules let a process open the character device. With rules of both versions, either is enough.
bool permits(const Grants& grants, DeviceNumber number, const NumberOf& number_of);

/// A grant's own answer: devN brings its rule along; a snapshot's is not judged (true).
bool permitted(const Grants& grants, const Grant& grant, DeviceNumber number, const NumberOf& number_of);

/// The card that udev's name carries, present or not: "/dev/dri/by-path/pci-0000:03:00.0-render".
std::optional<PciAddress> card_in_name(std::string_view path);

}  // namespace interlock::pve

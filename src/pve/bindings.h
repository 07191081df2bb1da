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

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "model/container.h"
#include "pve/config.h"
#include "pve/device_rules.h"

namespace interlock::pve {

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

struct Grants {
  /// Main section first, in the file's order; then pending; then snapshots.
  std::vector<Grant> grants;
  /// Of devN lines, of the main section and the pending one, in lxc's order, included files in place.
  std::vector<DeviceRule> rules;
  /// `unprivileged`, or an idmap of its own: everything is allowed before the first rule; otherwise nothing
  /// is.
  bool unprivileged = false;
  /// Privileged, mknod not dropped, and rules that allow a card's number, or a class of numbers, or a path
  /// that no grant brings anyway.
  bool may_make_nodes = false;
  /// lxc.start.auto (pct.md, 5.9).
  bool lxc_start_auto = false;
  /// Lines whose effect is not in the text: hooks, static nodes, files that cannot be read.
  std::vector<std::string> unprovable;
  /// Lines that look like ours and mean nothing, or stop the start: "LINE: why".
  std::vector<std::string> ineffective;
};

/// The text of a file that the configuration names (lxc.include, lxc.mount.fstab). lxc's own files below
/// /usr/share/lxc/config are never asked for.
using TextOf = std::function<Result<std::string>(const std::string& path)>;

Grants grants_of(const ConfigFile& config, const TextOf& included);

/// The same of /var/lib/lxc/<vmid>/config, which lxc itself reads: `key = value` lines, no sections, no devN.
Grants generated_grants(std::string_view text, const TextOf& included);

/// /var/lib/lxc/<vmid>/config lacks a raw line of the main section, or binds a card's path that the main
/// section does not: what `lxc-start` or a plain `systemctl start` would use is not what the configuration
/// says.
bool generated_is_stale(const ConfigFile& config, std::string_view generated);

/// The device rules let a process open the character device. With rules of both versions, either is enough.
bool permits(const Grants& grants, DeviceNumber number, const NumberOf& number_of);

/// The same for one grant; a snapshot's is not judged (true), since its rules are its own.
bool permitted(const Grants& grants, const Grant& grant, DeviceNumber number, const NumberOf& number_of);

/// The card that udev's name carries, present or not: "/dev/dri/by-path/pci-0000:03:00.0-render".
std::optional<PciAddress> card_in_name(std::string_view path);

}  // namespace interlock::pve

#include <array>

#include "decide/finding_pages.h"

namespace interlock::decide {

std::span<const FindingCode> container_pages() {
  static constexpr std::array<FindingCode, 9> kPages{{
      {"unit-not-retired", Severity::violation, "more than one of a container's units is enabled or active",
       R"(Of the units that the policy declares for a container at most one may be enabled or active, or two servers meet on one
card and one port: now, or at the container's next start. A unit also counts when a socket, a timer or another unit that
is enabled would start it, and a runtime mask or a runtime link counts for nothing, since it vanishes at the boot.

Disable and stop those that shall not run: pct exec VMID -- systemctl disable --now UNIT, and look afterwards with
systemctl is-enabled and is-active, since disable can fail and say little about it.)"},
      {"unit-missing", Severity::warning, "a unit that the policy declares does not exist in its container",
       R"(The container's systemd knows no unit of that name. It may be misspelt in the policy, or may have been removed or
renamed. A cutover that shall serve with it would fail, and one that retires it has nothing to retire.

List the container's units: pct exec VMID -- systemctl list-unit-files. Correct `units:` in the policy.)"},
      {"container-missing", Severity::warning, "a container that the policy names is not on this host",
       R"(No configuration of that number is in /etc/pve/lxc. The container may have been removed, or moved to another node, or the
number in the policy is wrong. A cutover that involves it is refused.

Correct the policy, or bring the container back.)"},
      {"container-locked", Severity::warning,
       "a container carries a lock, so it can be neither started nor changed",
       R"(Proxmox writes `lock:` into a configuration while it backs up, migrates, snapshots or changes a disk, and it stays there
when such a task is killed. While it stands, starting, stopping and changing the container fail, and so does any cutover
that involves it.

If a task is at work, wait for it. If none is (`pct list`, the task log), remove the lock: pct unlock VMID.)"},
      {"container-ha-managed", Severity::warning,
       "high availability starts and stops this container by itself",
       R"(A container that is an HA resource is started again when somebody stops it, moved when the node fails, and `pct stop`
only asks for it and returns at once. `onboot` means nothing to it. A cutover refuses to move cards of such a container,
since nobody can promise that it stays stopped.

Take it out: ha-manager remove ct:VMID, or set its state to `ignored`. A card is bound to one machine; moving the
container to another node does not bring it along.)"},
      {"container-generated-config-stale", Severity::warning,
       "the file that starts the container is not what its configuration says",
       R"(Proxmox writes /var/lib/lxc/VMID/config from /etc/pve/lxc/VMID.conf at its own starts and changes, and a hand edit does
not touch it. `systemctl start pve-container@VMID`, `lxc-start` and `lxc.start.auto` use it as it is: a card that was
taken out by hand comes back that way.

Any harmless change writes it anew, for example: pct set VMID --onboot 0 (with the value that it has).)"},
      {"container-config-ineffective", Severity::warning,
       "a line of a configuration does not do what it seems to say",
       R"(The line names a card's device, and Proxmox or lxc either passes over it, drops it at the next rewrite of the file, or
cannot start the container with it. Typical: a blank before the key, a remark behind a value (there are none), a device
rule with a missing field.

Correct the line or remove it. The message says what is wrong with it.)"},
      {"exclusivity-not-provable", Severity::warning,
       "a container may come to a card in ways that its configuration does not show",
       R"(Either the container is privileged and may make device nodes, and its device rules allow numbers of cards that it does
not bind: a process in it, as root, can make the node and open the card. Or a hook, a script or a file that cannot be
read takes part in its start, and may bind anything.

The configuration alone can then not prove that it keeps off the other cards; the guard and the audit still see every
process that opens one. To make it provable: make the container unprivileged, or drop the capability
(lxc.cap.drop: mknod), or move what the hook does into the configuration.)"},
      {"backup-stop-mode", Severity::warning,
       "a backup job stops the container and starts it again, whatever its onboot says",
       R"(In stop mode a backup shuts the container down, copies it, and starts it afterwards. A model server is gone for that
time, and must load its model anew. A start at the end of a backup can also come after a cutover that has stopped the
container meanwhile; then only the gate and the missing binding stand in between.

Use snapshot or suspend mode for containers with cards, or leave them out of the job (`exclude`).)"},
  }};
  return kPages;
}

}  // namespace interlock::decide

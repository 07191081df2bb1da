#include <array>

#include "decide/finding_pages.h"

namespace interlock::decide {

std::span<const FindingCode> card_pages() {
  static constexpr std::array<FindingCode, 13> kPages{{
      {"card-double-bound", Severity::violation, "two containers that run, or may run, bind the same card",
       R"(Two model servers on one card share its memory and its heat. Each finds less memory than it expects, one of them
spills into system memory or dies, and the guard cannot tell whose load to take off.

A container counts when its configuration binds the card in any way (devN, a mount entry, a folder such as /dev/dri, a
pending change) and it runs. One whose state cannot be told counts as running.

Decide which container shall have the card, stop the other, and take every line that binds the card out of its
configuration. A cutover to a target that names both does all of this, and proves it. A card that two containers are
meant to use at once is marked `shared: true` in the policy.)"},
      {"card-autostart-conflict", Severity::violation,
       "a card would have two containers after a start that nobody asks for",
       R"(At most one of the containers that bind the card may come up by itself: by `onboot`, by high availability, or by
`lxc.start.auto`. Here a second one would, at the next boot of the host at the latest, and a power cut can bring that
boot at any time. A container that is stopped now is no excuse: it keeps its card and its autostart.

Clear the autostart of the container that shall not have the card (`pct set VMID --onboot 0`), or better, take the card
out of its configuration: a stopped container without the card cannot get it by anybody's mistake. A cutover does both.)"},
      {"card-bound-by-vm", Severity::violation,
       "a virtual machine that runs or starts by itself takes the card",
       R"(A virtual machine with a `hostpciN` line takes the whole card away from the host's driver when it starts. A container
that works on the card then loses it under its load, and no sensor of it can be read any more.

Take the `hostpciN` line out of the machine's configuration, or its autostart away. A card that is lent to a machine for
good does not belong into the policy.)"},
      {"card-bound-by-unmanaged-container", Severity::warning,
       "a container that the policy does not name binds a card",
       R"(The policy does not know this container, so no cutover will ever stop it, release its card or clear its autostart. The
guard sheds it like any other when the card gets too hot, and the gate refuses its start when the ledger gives the card
to somebody else.

Take the card's lines out of its configuration if it does not need the card. If it does, name it under `containers:` with
the units that use the card.)"},
      {"card-bound-by-number", Severity::warning,
       "a binding names a card by a number that can move at the next boot",
       R"(Names such as renderD128 or card1 are given in the order in which the kernel finds the cards, and a kernel update or
another card in the machine changes it. With two cards or more, the same line may then bind another card, which another
container has already. The cards are always judged by what the names are now; this line may mean something else after
the next boot.

Bind the card by its address instead: /dev/dri/by-path/pci-ADDRESS-render and -card. A cutover writes mount entries of
that form. Device rules (`lxc.cgroup2.devices.allow`) go by number too; there is no other form for a bound node that
keeps its name, so they are best left wide and the binding narrow.)"},
      {"card-wildcard-access", Severity::advice, "a container binds a folder, and with it every card",
       R"(A bind of /dev/dri or of a folder above it gives the container all cards: those of today, and any that is put into the
machine later. It is judged as binding each of them.

Replace it by mount entries of the one card that the container shall have.)"},
      {"binding-not-permitted", Severity::warning, "a container sees a card's node and may not open it",
       R"(The container's configuration puts the card's device node into it, but its device rules do not allow the node's number.
Programs inside find the node, fail to open it and often go on with the CPU, without a word about it. It is counted as
binding the card all the same, since one line would complete it.

Add the rule for the node's number, or use devN, which brings its rule along. If the container is not meant to have the
card, remove the binding.)"},
      {"binding-dangling", Severity::warning, "a binding names a device node that is not there",
       R"(A mount entry marked `optional` whose source is missing is passed over: the container starts without the card. A devN
line, or a mount entry without that mark, makes the start fail. Either way the line does not do what it says.

Compare the line with what `ls -l /dev/dri/by-path` shows. If the card is missing from the machine, see card-missing.)"},
      {"clone-double-bound", Severity::warning, "a stopped container binds a card that another one has",
       R"(Nothing is broken while it stays stopped, and nothing starts it by itself. But a clone or a restored backup carries the
bindings of its original, and whoever starts it by hand has two containers on one card; then only the gate stands in
between.

Take the card's lines out of the container that shall not have it. Where a target of the policy says
`release: keep-binding`, the stopped container keeps its card on purpose, and this is not reported.)"},
      {"snapshot-latent-binding", Severity::advice, "a snapshot binds a card that its container has not now",
       R"(A rollback replaces the container's configuration by the snapshot's, with its bindings and its autostart, and may start
the container at once. Until somebody rolls back, the snapshot gives nobody anything.

Delete the snapshot when it is no longer needed. After a rollback, run the audit before you start the container.)"},
      {"container-pending-binding", Severity::warning,
       "a pending change will give or take a card at the next start",
       R"(Proxmox keeps some changes of a running container back until it has stopped, without saying so: a device that was
removed stays usable until then, and one that was added comes with the next start. `pct config` shows the configuration
as if all of it had happened.

Look at it with `pct pending VMID`. Restart the container at a convenient time, or take the change back with
`pct set VMID --revert devN`. A cutover does not begin while a change to a card is pending.)"},
      {"card-missing", Severity::warning, "a card of the policy is not in the machine",
       R"(No PCI device has the card's address. It may have fallen off the bus, the slot may have been renumbered after a change
of the machine's hardware, or the policy may have been written for another machine.

Look for the card with `lspci -D` and for messages about it with `dmesg`. If it has another address now, correct the
policy; `unique_id` there tells a moved card from an exchanged one.)"},
      {"card-replaced", Severity::violation, "another card sits in the slot than the policy names",
       R"(The card at this address has another `unique_id` than the policy says. Limits, bindings and ledger belong to a card that
is elsewhere, and the guard does not believe readings of the wrong one: the card counts as unreadable.

If the exchange was meant, put the new card's id into the policy:
cat /sys/bus/pci/devices/ADDRESS/unique_id. If it was not, find out which card moved before anything is started.)"},
  }};
  return kPages;
}

}  // namespace interlock::decide

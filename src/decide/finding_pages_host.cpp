#include <array>

#include "decide/finding_pages.h"

namespace interlock::decide {

std::span<const FindingCode> host_pages() {
  static constexpr std::array<FindingCode, 5> kPages{{
      {"cutover-open", Severity::violation, "a cutover was interrupted, and nobody is at it",
       R"(The journal says that a cutover began and does not say that it ended: the program was killed, or the host lost power. The
host is in one of the states on the way, each of which is safe, but cards may have no owner and containers may be
stopped that shall run.

`gpu-interlock recover --status` says where it stands. `gpu-interlock recover` leads back to where it began,
`gpu-interlock recover --forward` to its target. If a person has set the host right by hand, `gpu-interlock recover
--accept --reason TEXT` closes it and takes over what is.)"},
      {"policy-broken", Severity::violation,
       "the policy's file cannot be used, and its last good copy stands in",
       R"(The file has a mistake. So that a typing error leaves no card unguarded, the guard goes on with the copy that it kept of
the last good policy. What was changed in the file has no effect, and the copy grows old.

`gpu-interlock policy check` names line and column. After the correction: systemctl reload gpu-interlockd.)"},
      {"ledger-disagrees", Severity::violation,
       "the ledger and the configurations tell different owners of a card",
       R"(The ledger says which container may hold each card; the gate refuses every other one's start. Cutovers keep it in step
with the configurations. Here somebody has changed a configuration by hand, or the ledger cannot be read: then the gate
refuses the wrong container, or all of them.

If the configurations are right, take them over: gpu-interlock ledger adopt. If the ledger is damaged:
gpu-interlock ledger rebuild. If a configuration is wrong, put it right, or run the cutover to the state that you want.)"},
      {"gate-missing", Severity::warning, "a container can be started without passing the gate",
       R"(Order and verification do not help against a person's `pct start`, a container that reboots itself, a backup's restart,
a clone or a rolled-back snapshot. The gate is asked before each start, by a drop-in of Proxmox's container units and by
a hook of lxc. It is not in the way of every path.

Install it: gpu-interlock gate install. `gpu-interlock gate status` says which path lacks it.)"},
      {"governor-powersave", Severity::warning, "CPUs are held at their lowest clock",
       R"(With this frequency driver the governor `powersave` pins the CPU to its lowest clock. A model server that prepares its
work on the CPU is several times slower for it, and a cutover takes longer. (With intel_pstate and amd-pstate in active
mode `powersave` is the usual, demand-driven setting, and is not reported.)

Set another governor, for example: cpupower frequency-set -g schedutil, and make it last over a boot.)"},
  }};
  return kPages;
}

}  // namespace interlock::decide

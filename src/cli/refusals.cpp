#include "cli/refusals.h"

#include <algorithm>
#include <array>

namespace interlock::cli {

std::span<const Refusal> refusals() {
  static constexpr std::array<Refusal, 33> kRefusals{{
      {"pve-mounted",
       "/etc/pve is not mounted, so no configuration can be read or changed: start pve-cluster."},
      {"quorum",
       "The cluster has no quorum, and /etc/pve takes no changes: bring the other nodes back, or wait."},
      {"backup-running",
       "A backup is at work, which stops and starts containers by itself: wait for its end. None begins "
       "while a "
       "cutover runs."},
      {"worker-running", "A task of Proxmox is at work on a container of the target: wait for its end."},
      {"cutover-open",
       "An earlier cutover has not ended: finish it with `gpu-interlock recover`, back or --forward."},
      {"ledger-unreadable",
       "The ledger cannot be read, so nobody knows whose the cards are: `gpu-interlock ledger rebuild` "
       "writes it "
       "from what is bound."},
      {"invariant-broken",
       "The host breaks a rule already, by whomever: mend that first; `gpu-interlock audit` says how."},
      {"guard-not-running",
       "The guard does not run, so nobody would watch the cards on the way: start gpu-interlockd. "
       "--without-guard "
       "begins all the same."},
      {"guard-stale",
       "The guard runs and has not judged its cards in time: see its log. --without-guard begins all the "
       "same."},
      {"container-missing", "A container of the target does not exist on this host: correct the policy."},
      {"container-template",
       "A container of the target is a template, which never runs: correct the policy."},
      {"container-state-unknown", "Whether a container runs cannot be told: see `pct status`."},
      {"container-unread",
       "A container's configuration, or what an earlier cutover kept of it, cannot be read, so it could not "
       "be "
       "given back as it was: look at the file that is named."},
      {"container-locked",
       "Proxmox has locked the container for a task: wait for its end; a lock that was left behind is taken "
       "away by "
       "`pct unlock`."},
      {"container-ha-managed",
       "High availability starts and stops the container by itself: take it out of HA before it is moved by "
       "hand."},
      {"container-pending-binding",
       "A change of the container's cards waits for its next start: let it take effect, or take it back."},
      {"container-starts-itself",
       "The container is to be stopped, and lxc.start.auto would start it at each boot: take that line "
       "away."},
      {"backup-stop-mode",
       "The container is to keep its binding while it is stopped, and a backup job would stop and start it: "
       "use "
       "snapshot mode, or let the cutover detach the card."},
      {"units-unanswered",
       "A container runs and does not say what its units do, so none could be seen retired: see whether its "
       "systemd "
       "answers."},
      {"unit-missing",
       "The unit that is to serve is not in its container, or is masked: correct its name, install or unmask "
       "it."},
      {"requires", "Something that the target requires inside a container does not hold: it is named."},
      {"card-absent", "A card of the target is not in the machine: look for it with `lspci -D`."},
      {"card-replaced",
       "Another card than the policy's sits in the slot: put its unique_id into the policy."},
      {"card-lent", "Another driver than amdgpu has the card: give it back to the host."},
      {"card-bound-by-vm",
       "A virtual machine has the card, or takes it when it starts: take hostpci out of it."},
      {"card-latched",
       "The card has tripped, and stays empty until somebody has looked: `gpu-interlock reset CARD`."},
      {"card-hot", "The card is at `warn` or above: let it cool first."},
      {"card-blind", "A temperature of the card cannot be read or believed: see `gpu-interlock sensors`."},
      {"card-double-bound",
       "Two containers can hold the card, so the host as it is now cannot be accepted: take it out of one of "
       "them."},
      {"holder-foreign", "A process outside every declared unit uses a card that is to move: end it first."},
      {"holder-unknown", "A process could not be looked into, and may hold any card: find out what it is."},
      {"no-plan", "There is no way from the host as it is to the target: it says why."},
      {"no-proof",
       "A state on the way would not be safe, so the plan is never run: `gpu-interlock plan NAME` shows "
       "where."},
  }};
  return kRefusals;
}

const Refusal* find_refusal(std::string_view code) {
  const auto all = refusals();
  const auto found = std::ranges::find(all, code, &Refusal::code);
  return found == all.end() ? nullptr : &*found;
}

}  // namespace interlock::cli

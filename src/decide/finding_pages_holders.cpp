#include <array>

#include "decide/finding_pages.h"

namespace interlock::decide {

std::span<const FindingCode> holder_pages() {
  static constexpr std::array<FindingCode, 5> kPages{{
      {"unit-serving-undeclared", Severity::warning,
       "a unit that the policy does not declare works on a card",
       R"(The container is in the policy, this unit of it is not. Cutovers retire only the units that the policy declares, so this
one would still be enabled after one, and would be missing where another says what shall serve.

Add it to the container's `units:` if it is meant to use the card, or disable it. The guard sheds it either way: it goes
by the processes that hold the card, not by the policy.)"},
      {"holder-foreign", Severity::warning, "a process outside every declared unit uses a card",
       R"(A program started by hand (`pct exec`, a shell, a benchmark), the remains of a stopped unit, a program on the host, or
one in a container that the policy does not name has the card open and uses it. It competes with what shall serve there.
A cutover waits for it, and fails if it stays.

End it when it is not wanted. A server that is meant to run belongs into a unit, and the unit into the policy.)"},
      {"holder-unknown", Severity::violation, "a process may hold a card, and cannot be looked into",
       R"(The process's open files could not be read. It may hold any card, so it counts as holding every one: the guard, when it
sheds, takes down each container that binds the card.

As root this happens to no ordinary process. Look at it: ls -l /proc/PID/fd. A security module or a process that is just
ending may be the reason.)"},
      {"vram-spill", Severity::violation, "part of what belongs into a card's memory lies in system memory",
       R"(More was asked of the card's memory than it has, and the driver has moved some of it out to system memory. The server goes
on, many times slower, and the bus is busy with moving pages. It is often seen as a card that is hot and slow.

Let the server use less: a smaller context, a smaller quantisation, fewer layers on the card. Find who else has memory on
the card: gpu-interlock status lists each holder with what it has.)"},
      {"vram-headroom-low", Severity::warning, "a card in use has little memory left",
       R"(The next larger request may not fit, and the driver then moves memory out to the system (vram-spill). The rule is to have
1024 MiB left while the card is used.

Let the server use less: a smaller context, fewer layers on the card. A container whose measured need is less says so in the policy: `vram_minimum: MiB`.)"},
  }};
  return kPages;
}

}  // namespace interlock::decide

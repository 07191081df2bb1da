// The parts of finding_codes(), one file each.
#pragma once

#include <span>

#include "decide/finding_codes.h"

namespace interlock::decide {

std::span<const FindingCode> card_pages();       // who can have a card
std::span<const FindingCode> guard_pages();      // sensors, limits, guard
std::span<const FindingCode> container_pages();  // what a container's settings and units bring
std::span<const FindingCode> holder_pages();     // processes and memory on a card
std::span<const FindingCode> host_pages();       // cutover, policy, ledger, gate

}  // namespace interlock::decide

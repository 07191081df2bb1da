// What a place becomes when the process that stood there is dead: a new one finds its locks gone, or the host
// without power and booted again.
#pragma once

#include <cstdint>

#include "place.h"

namespace interlock::explore {

/// Of a place whose process was stopped: as a new process finds it, or as a power cut leaves the disks, with
/// the boot still to come (`stopped` is there still). Whatever only a running host has does not tell two
/// power cuts apart.
Node stopped_at(Node node);

/// Who reads that it is held, or refused, is back some minutes later: what others had under way is over then,
/// and a unit that crashes again and again has just done so.
void pass_until_somebody_comes(mocks::MockHost& host);
Node come_back_to(Node node);

struct Booted {
  Node node;
  std::uint64_t checks = 0;
};
/// Booted, the boot recovery and all that starts by itself behind it.
Booted booted(Node node);

}  // namespace interlock::explore

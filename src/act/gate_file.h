// The gate's files below /run/gpu-interlock, and the record of every allowance that was given.
#pragma once

#include "base/result.h"
#include "host/host.h"
#include "model/gate_text.h"

namespace interlock::act {

Result<void> set_claim(Host& host, const Claim& claim);

/// Recorded durably with its reason before it opens anything.
Result<void> give_allowance(Host& host, const Allowance& allowance);
Result<void> use_up_allowance(Host& host, Vmid vmid);

}  // namespace interlock::act

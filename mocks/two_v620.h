// The host of two cards and two model servers that the project grew up on: 120 serves gpu1, 123 serves gpu2,
// and 121 is a bystander.
#pragma once

#include "mocks/model.h"

namespace interlock::mocks {

/// Up for an hour, both servers loaded, nothing unsynced, no invariant broken.
Model two_v620();
/// The same before its first boot; `pace` and load times may be changed before it is started.
Model two_v620_off();
/// Everything takes milliseconds, and temperatures are what somebody sets: for hosts whose time is real.
void quicken(Model& model);
/// Boots a model in memory and lets `uptime` pass.
Model started(Model off, Duration uptime);

}  // namespace interlock::mocks

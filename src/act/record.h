// The record of what people overrode: an opened gate, a forced reset, a cutover that was accepted as it
// stood.
#pragma once

#include <string>

#include "base/result.h"
#include "host/host.h"

namespace interlock::act {

/// One durable line with the time: `what` as a sentence, `reason` in the person's own words.
Result<void> record(Host& host, const std::string& what, const std::string& reason);

}  // namespace interlock::act

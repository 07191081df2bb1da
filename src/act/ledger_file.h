// The ledger on disk. Its text form is in model/ledger_text.h, since the gate and observe read it too.
#pragma once

#include "base/result.h"
#include "host/host.h"
#include "model/ledger.h"

namespace interlock::act {

/// An absent file is an empty ledger.
Result<Ledger> read_ledger(Host& host);
/// Replaces the file whole, synced, and reads it back.
Result<void> write_ledger(Host& host, const Ledger& ledger);

}  // namespace interlock::act

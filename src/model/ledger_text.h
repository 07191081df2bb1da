// The ledger's text form: header with checksum, then one line a card. Shared by its writer, the gate and
// observe.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "model/ledger.h"

namespace interlock {

std::string ledger_text(const Ledger& ledger);
/// Anything but a whole and unchanged ledger is an error.
Result<Ledger> parse_ledger(std::string_view text);

}  // namespace interlock

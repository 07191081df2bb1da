#include "act/ledger_file.h"

#include "act/own_file.h"
#include "host/paths.h"
#include "model/ledger_text.h"

namespace interlock::act {

Result<Ledger> read_ledger(Host& host) {
  const auto text = host.read_file(paths::kLedger);
  if (!text && is_missing(text.error())) return Ledger{};
  if (!text) return std::unexpected(text.error());
  return in_context(parse_ledger(*text), paths::kLedger);
}

Result<void> write_ledger(Host& host, const Ledger& ledger) {
  return write_own_file(host, paths::kLedger, ledger_text(ledger));
}

}  // namespace interlock::act

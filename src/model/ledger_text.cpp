#include "model/ledger_text.h"

#include "base/text.h"
#include "model/sealed_text.h"

namespace interlock {

std::string ledger_text(const Ledger& ledger) {
  std::string body;
  for (const auto& [card, owner] : ledger) body += fmt::format("{} {}\n", card.text(), owner.text());
  return sealed("ledger", body);
}

Result<Ledger> parse_ledger(std::string_view text) {
  const std::string body = TRY(unsealed("ledger", text));
  Ledger ledger;
  for (const std::string_view line : lines_of(body)) {
    const auto blank = line.find(' ');
    const auto card = PciAddress::parse(line.substr(0, blank));
    const auto owner = blank == std::string_view::npos ? std::nullopt : Owner::parse(line.substr(blank + 1));
    if (!card || !owner)
      return fail("the ledger has a line that names no card and owner: \"{}\"", printable(line));
    if (!ledger.emplace(*card, *owner).second) return fail("the ledger names card {} twice", card->text());
  }
  return ledger;
}

}  // namespace interlock

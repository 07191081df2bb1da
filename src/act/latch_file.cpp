#include "act/latch_file.h"

#include "act/own_file.h"
#include "host/paths.h"
#include "model/state_text.h"

namespace interlock::act {

Result<void> set_latch(Host& host, const PciAddress& card, const Latch& latch) {
  return write_own_file(host, paths::latch(card), latch_text(latch));
}

Result<void> clear_latch(Host& host, const PciAddress& card) {
  return remove_own_file(host, paths::latch(card));
}

std::optional<Latch> read_latch(Host& host, const PciAddress& card) {
  const auto text = host.read_file(paths::latch(card));
  if (text) return parse_latch(*text);
  if (is_missing(text.error())) return std::nullopt;
  return Latch{TripReason::blind, "the latch file cannot be read: " + text.error().message, {}, true};
}

}  // namespace interlock::act

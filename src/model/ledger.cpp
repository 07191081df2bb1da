#include "model/ledger.h"

namespace interlock {

std::string Owner::text() const {
  switch (kind) {
    case Kind::none:
      return "none";
    case Kind::container:
      return container->text();
    case Kind::held:
      return "held:" + cutover;
  }
  return "none";
}

std::optional<Owner> Owner::parse(std::string_view text) {
  constexpr std::string_view kHeld = "held:";
  if (text == "none") return nobody();
  if (text.starts_with(kHeld) && text.size() > kHeld.size())
    return held_by(std::string(text.substr(kHeld.size())));
  if (const auto vmid = Vmid::parse(text)) return of(*vmid);
  return std::nullopt;
}

}  // namespace interlock

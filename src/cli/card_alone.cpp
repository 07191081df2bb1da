#include "cli/card_alone.h"

#include <fmt/format.h>

#include "base/text.h"
#include "observe/sensors.h"

namespace interlock::cli {

Card card_alone(Context& context, const PolicyCard& card) {
  Card seen{card.id, card.pci};
  seen.sample = observe::sample_card_apart(context.host, card.pci);
  seen.present = seen.sample->present;
  seen.driver = seen.sample->driver;
  return seen;
}

Or<PolicyCard> named_card(const Policy& policy, const std::string& name) {
  const auto id = CardId::parse(name);
  const PolicyCard* card = id ? policy.card(*id) : nullptr;
  if (card != nullptr) return *card;
  std::vector<std::string> names;
  for (const PolicyCard& known : policy.cards) names.push_back(known.id.text());
  return std::unexpected(failed(exits::kUsage, fmt::format("{} names no card {}; it has {}", policy.file,
                                                           printable(name), joined(names, ", "))));
}

}  // namespace interlock::cli

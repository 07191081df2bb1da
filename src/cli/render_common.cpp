#include <fmt/format.h>

#include "base/text.h"
#include "cli/render.h"

namespace interlock::cli {

nlohmann::json truth_json(Truth value) {
  switch (value) {
    case Truth::yes:
      return true;
    case Truth::no:
      return false;
    case Truth::unknown:
      break;
  }
  return nullptr;
}

std::string cards_text(const std::set<PciAddress>& cards, const Policy& policy) {
  if (cards.empty()) return "none";
  // In the policy's order; cards that it does not know come last, by address.
  std::vector<std::string> names;
  for (const PolicyCard& card : policy.cards) {
    if (cards.contains(card.pci)) names.push_back(card.id.text());
  }
  for (const PciAddress& pci : cards) {
    if (policy.card(pci) == nullptr) names.push_back(pci.text());
  }
  return joined(names, ", ");
}

std::string duration_text(Duration duration) {
  using std::chrono::duration_cast;
  const auto ms = duration_cast<std::chrono::milliseconds>(duration).count();
  if (ms < 1000) return fmt::format("{} ms", ms);
  if (ms < 10'000) return fmt::format("{}.{} s", ms / 1000, ms % 1000 / 100);
  if (ms < 120'000) return fmt::format("{} s", ms / 1000);
  return fmt::format("{} min", ms / 60'000);
}

}  // namespace interlock::cli

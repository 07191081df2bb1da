#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "base/text.h"
#include "policy/sections.h"

namespace interlock {
namespace {

std::optional<PciAddress> read_pci(const Entry& entry) {
  const auto text = entry.text();
  if (!text) return std::nullopt;
  if (auto pci = PciAddress::parse(*text)) return pci;
  entry.reject(fmt::format("'{}' is no PCI address; one looks like \"0000:03:00.0\"", printable(*text)));
  return std::nullopt;
}

/// As the driver gives it: 16 hexadecimal digits, lower case.
std::optional<std::string> read_unique_id(const Entry& entry) {
  auto text = entry.text();
  if (!text) return std::nullopt;
  const auto is_hex = [](unsigned char c) { return std::isxdigit(c) != 0; };
  if (text->size() != 16 || !std::ranges::all_of(*text, is_hex)) {
    entry.reject(fmt::format("'{}' is no unique_id; it has 16 hexadecimal digits", printable(*text)));
    return std::nullopt;
  }
  std::ranges::transform(*text, text->begin(),
                         [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

/// Two names for one card would be judged, latched and given away as two.
bool is_new(const PolicyCard& card, const Entry& pci, const Entry* unique_id,
            const std::vector<PolicyCard>& cards) {
  for (const PolicyCard& other : cards) {
    if (other.pci == card.pci) {
      pci.reject(fmt::format("{} is the address of {} already", card.pci.text(), other.id.text()));
      return false;
    }
    if (unique_id != nullptr && card.unique_id && other.unique_id == card.unique_id) {
      unique_id->reject(fmt::format("this is the unique_id of {} already", other.id.text()));
      return false;
    }
  }
  return true;
}

void read_card(const Member& member, Policy& policy) {
  const auto id = CardId::parse(member.key);
  if (!id) {
    member.reject_key(
        "a card's name has letters, digits, '-', '_' and '.', begins with a letter and has at most 32");
  }
  const auto fields = member.value.fields({"pci", "unique_id", "shared"});
  const Entry* address = fields ? fields->need("pci") : nullptr;
  const auto pci = address != nullptr ? read_pci(*address) : std::nullopt;
  if (!id || !pci) return;

  PolicyCard card{.id = *id, .pci = *pci, .unique_id = std::nullopt, .shared = false};
  fields->take("unique_id", card.unique_id, read_unique_id);
  fields->take("shared", card.shared, [](const Entry& entry) { return entry.boolean(); });
  if (is_new(card, *address, fields->find("unique_id"), policy.cards))
    policy.cards.push_back(std::move(card));
}

}  // namespace

void read_cards(const Entry& section, Draft& draft) {
  const auto members = section.members();
  if (!members) return;
  if (members->empty()) section.reject("no card is named, so none would be guarded");
  for (const Member& member : *members) {
    draft.card_keys.insert(member.key);
    read_card(member, draft.policy);
  }
}

}  // namespace interlock

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>

#include "base/text.h"
#include "policy/sections.h"

namespace interlock {
namespace {

/// A cutover's name alone is a command too, so it may not hide another (design, section 8).
constexpr auto kCommands = std::to_array<std::string_view>(
    {"status", "watch", "audit", "explain", "plan", "cutover", "recover", "history", "reset", "shed", "drill",
     "snapshot", "sensors", "policy", "ledger", "gate", "names", "help"});

/// It is an instance of a systemd unit and a word on the command line.
bool is_cutover_name(std::string_view name) {
  const auto good = [](unsigned char c) { return std::isalnum(c) != 0 || c == '-' || c == '_' || c == '.'; };
  constexpr std::size_t kLongest = 64;
  return !name.empty() && name.size() <= kLongest &&
         std::isalnum(static_cast<unsigned char>(name.front())) != 0 && std::ranges::all_of(name, good);
}

void check_name(const Member& member) {
  if (!is_cutover_name(member.key)) {
    member.reject_key(
        "a cutover's name has letters, digits, '-', '_' and '.', at most 64, a letter or digit first");
  } else if (std::ranges::find(kCommands, member.key) != kCommands.end()) {
    member.reject_key("a command of gpu-interlock has this name; call the cutover something else");
  }
}

/// I1, as far as one cutover's own text can break it.
void check_cards_given_once(const Member& member, const Cutover& cutover, const Policy& policy) {
  for (const PolicyCard& card : policy.cards) {
    std::vector<std::string> takers;
    for (const auto& [vmid, container] : cutover.containers) {
      if (container.want.cards && container.want.cards->contains(card.pci)) takers.push_back(vmid.text());
    }
    if (takers.size() > 1 && !card.shared) {
      member.value.reject(fmt::format("{} is given to containers {}; only a card with shared: true may be",
                                      card.id.text(), joined(takers, " and ")));
    }
  }
}

}  // namespace

void read_cutovers(const Entry& section, Draft& draft) {
  const auto members = section.members();
  if (!members) return;
  for (const Member& member : *members) {
    check_name(member);
    const auto containers = member.value.members();
    if (!containers) continue;
    if (containers->empty()) member.value.reject("it names no container, so there is nothing to reach");
    Cutover cutover{.name = member.key, .containers = {}};
    for (const Member& container : *containers) read_want(container, draft, cutover);
    check_cards_given_once(member, cutover, draft.policy);
    draft.policy.cutovers.emplace(member.key, std::move(cutover));
  }
}

}  // namespace interlock

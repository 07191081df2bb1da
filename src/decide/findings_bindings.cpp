#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "decide/findings_rules.h"
#include "decide/invariants.h"

namespace interlock::decide {
namespace {

constexpr std::string_view kCards = "/dev/dri/";
constexpr std::string_view kByPath = "/dev/dri/by-path/";

bool is_latent(const Binding& binding) {
  return binding.when == Binding::When::latent;
}

std::string quoted(const Binding& binding) {
  return "'" + printable(trimmed(binding.line)) + "'";
}

/// The policy's cards that those bindings of the container give, each once.
template <class Chosen>
std::vector<std::string> cards_of(const AuditInput& input, const Container& container, Chosen chosen) {
  std::set<PciAddress> cards;
  for (const Binding& binding : container.bindings) {
    if (chosen(binding)) cards.insert(binding.cards.begin(), binding.cards.end());
  }
  return input.names(cards);
}

void add_unmanaged(const AuditInput& input, const Container& container, Report& report) {
  if (input.declares(container.vmid) || !input.binds_ours(container)) return;
  const auto cards = cards_of(input, container, [](const Binding& binding) { return !is_latent(binding); });
  report.add(
      "card-bound-by-unmanaged-container",
      {container.vmid.text(),
       fmt::format("Container {} binds {} and is not in the policy.", container.vmid.text(), listed(cards)),
       fmt::format("Take {} out of its configuration, or name {} under `containers:` in the policy.",
                   listed(cards), container.vmid.text())});
}

/// One line may stand for two bindings, one permitted and one not.
void add_wildcard(const Container& container, Report& report) {
  std::set<std::string> lines;
  for (const Binding& binding : container.bindings) {
    if (is_latent(binding) || !binding.every_card || !lines.insert(binding.line).second) continue;
    report.add("card-wildcard-access",
               {container.vmid.text(),
                fmt::format("Container {} binds the folder {} and so every card: {}.", container.vmid.text(),
                            printable(binding.source), quoted(binding)),
                "Replace it by mount entries of the card that it shall have."});
  }
}

void add_latent(const AuditInput& input, const Container& container, Report& report) {
  const auto bound = container.cards();
  std::set<PciAddress> latent;
  for (const Binding& binding : container.bindings) {
    if (!is_latent(binding)) continue;
    std::ranges::copy_if(binding.cards, std::inserter(latent, latent.end()),
                         [&](const PciAddress& card) { return !bound.contains(card); });
  }
  const auto cards = input.names(latent);
  if (cards.empty()) return;
  report.add("snapshot-latent-binding",
             {container.vmid.text(),
              fmt::format("A snapshot of container {} binds {}; a rollback to it would bring that back.",
                          container.vmid.text(), listed(cards)),
              fmt::format("Delete the snapshot when it is no longer needed (pct listsnapshot {}).",
                          container.vmid.text())});
}

/// Where it conflicts already, audit_exclusiveness() has said so.
void add_pending(const AuditInput& input, const Container& container, Report& report) {
  const auto comes = cards_of(
      input, container, [](const Binding& binding) { return binding.when == Binding::When::next_start; });
  const auto goes =
      cards_of(input, container, [](const Binding& binding) { return binding.live_after_removal; });
  const auto add = [&](const std::vector<std::string>& cards, std::string_view what) {
    if (cards.empty()) return;
    report.add("container-pending-binding",
               {container.vmid.text(),
                fmt::format("Container {} {} {}.", container.vmid.text(), what, listed(cards)),
                fmt::format(
                    "See `pct pending {0}`; restart the container, or take the change back with `pct set {0} "
                    "--revert devN`.",
                    container.vmid.text())});
  };
  add(comes, "gets by a pending change at its next start:");
  add(goes, "keeps until it stops, though its configuration no longer shows it:");
}

void add_numbers(const AuditInput& input, const Container& container, Report& report) {
  if (input.policy.cards.size() < 2) return;  // one card has no other to be taken for
  const auto by_number = [](const Binding& binding) {
    return !is_latent(binding) && binding.source.starts_with(kCards) &&
           !binding.source.starts_with(kByPath) && !binding.every_card;
  };
  std::vector<std::string> sources;
  for (const Binding& binding : container.bindings) {
    if (by_number(binding) && !input.names(binding.cards).empty())
      sources.push_back(printable(binding.source));
  }
  if (sources.empty()) return;
  report.add(
      "card-bound-by-number",
      {container.vmid.text(),
       fmt::format("Container {} binds {}, which is {} today and may be another card after a boot.",
                   container.vmid.text(), listed(sources), listed(cards_of(input, container, by_number))),
       "Bind the card by /dev/dri/by-path/pci-ADDRESS-render and -card."});
}

void add_not_permitted(const AuditInput& input, const Container& container, Report& report) {
  const auto shut = [](const Binding& binding) { return !is_latent(binding) && !binding.permitted; };
  const auto usable = [](const Binding& binding) { return !is_latent(binding) && binding.permitted; };
  auto cards = cards_of(input, container, shut);
  const auto others = cards_of(input, container, usable);  // another line may bring the rule, as devN does
  std::erase_if(cards,
                [&](const std::string& card) { return std::ranges::find(others, card) != others.end(); });
  if (cards.empty()) return;
  report.add(
      "binding-not-permitted",
      {container.vmid.text(),
       fmt::format("Container {} binds {}, and its device rules do not let it open the device: bound, not "
                   "permitted.",
                   container.vmid.text(), listed(cards)),
       "Add the device rule if it shall use the card, or take the binding out."});
}

void add_dangling(const Container& container, Report& report) {
  for (const Binding& binding : container.bindings) {
    if (is_latent(binding) || !binding.cards.empty() || !binding.source.starts_with(kCards)) continue;
    if (binding.every_card) continue;
    report.add("binding-dangling",
               {container.vmid.text(),
                fmt::format("Container {} binds {}, which no card of this machine has: {}.",
                            container.vmid.text(), printable(binding.source), quoted(binding)),
                "Compare it with `ls -l /dev/dri/by-path`, and correct or remove the line."});
  }
}

}  // namespace

void audit_bindings(const AuditInput& input, Report& report) {
  for (const Container& container : input.state.containers) {
    add_unmanaged(input, container, report);
    add_pending(input, container, report);
    add_numbers(input, container, report);
    add_not_permitted(input, container, report);
    add_dangling(container, report);
    add_wildcard(container, report);
    add_latent(input, container, report);
  }
}

}  // namespace interlock::decide

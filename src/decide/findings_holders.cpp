#include <fmt/format.h>

#include <map>
#include <tuple>

#include "base/text.h"
#include "decide/card_map.h"
#include "decide/findings_rules.h"

namespace interlock::decide {
namespace {

constexpr Bytes kHeadroom = 1024 * kMiB;     // the usual rule
constexpr Bytes kMuchOutside = 1024 * kMiB;  // system memory that a card uses anyway stays below
constexpr Bytes kEvicted = 64 * kMiB;        // less is moved about in ordinary work

std::string place_text(const Place& place) {
  std::string text = place.container ? "in container " + place.container->text() : "on the host";
  if (!place.known) return "whose container cannot be told";
  return text + (place.unit ? ", unit " + place.unit->text() : ", in no unit");
}

std::string place_subject(const Place& place) {
  if (!place.container) return place.unit ? place.unit->text() : "host";
  return place.container->text() + (place.unit ? "/" + place.unit->text() : "");
}

/// Processes of one kind in one place on one card are one finding.
struct Group {
  const Holder* first = nullptr;
  int processes = 0;
  bool uses = false;
};
using Groups = std::map<std::tuple<HolderKind, std::string, std::string>, Group>;

/// systemd keeps descriptors for its services, and logind those of a session: neither works on a card.
bool is_system(const Holder& holder) {
  const std::string unit = holder.place.unit ? holder.place.unit->text() : "";
  return holder.process.pid == 1 || unit == "systemd-logind.service" ||
         (unit == "init.scope" && holder.command == "systemd");
}

/// An idle holder is only worth a word where no container that binds the card has it: it then came by it in
/// some other way (design, 11.6).
bool is_worth_a_word(const AuditInput& input, const Card& card, const Holder& holder) {
  if (is_system(holder)) return false;
  if (holder.uses != Truth::no) return true;
  const Container* container =
      holder.place.container ? input.state.container(*holder.place.container) : nullptr;
  return container == nullptr || !container->binds(card.pci);
}

Groups grouped(const AuditInput& input, const Card& card) {
  Groups groups;
  for (const Holder& holder : card.holders) {
    const HolderKind kind = kind_of(input.state, input.policy, holder);
    if (kind == HolderKind::declared || kind == HolderKind::unknown) continue;
    if (!is_worth_a_word(input, card, holder)) continue;
    Group& group = groups[{kind, place_subject(holder.place), holder.place.cgroup}];
    if (group.first == nullptr) group.first = &holder;
    group.uses = group.uses || holder.uses != Truth::no;
    ++group.processes;
  }
  return groups;
}

void add_foreign(const AuditInput& input, const PolicyCard& policy_card, const Card& card, Report& report) {
  for (const auto& [key, group] : grouped(input, card)) {
    const Holder& holder = *group.first;
    const std::string others = group.processes == 1 ? "" : fmt::format(" and {} more", group.processes - 1);
    const std::string message = fmt::format(
        "{} (PID {}){}, {}, {} {}{}.", printable(holder.command), holder.process.pid, others,
        place_text(holder.place), group.uses ? "uses" : "has open and does not use", policy_card.id.text(),
        holder.memory ? ", " + bytes_text(*holder.memory) + " of its memory" : "");
    const Words words{place_subject(holder.place), message,
                      "End it, or declare the unit that it shall run in under `containers:` in the policy."};
    report.add(
        std::get<HolderKind>(key) == HolderKind::undeclared ? "unit-serving-undeclared" : "holder-foreign",
        words);
  }
}

void add_unknown(const AuditInput& input, Report& report) {
  for (const UnknownHolder& holder : input.state.unknown_holders) {
    report.add("holder-unknown", {fmt::format("pid {}", holder.pid),
                                  fmt::format("Process {}, {}, may hold any card: {}.", holder.pid,
                                              place_text(holder.place), holder.why),
                                  fmt::format("Look at it as root: ls -l /proc/{}/fd", holder.pid)});
  }
}

/// The least that any container which binds the card has said; the usual rule where none has.
Bytes headroom_rule(const AuditInput& input, const Card& card) {
  std::optional<Bytes> least;
  for (const Container* container : input.binders(card.pci)) {
    const auto declared = input.policy.containers.find(container->vmid);
    if (declared == input.policy.containers.end() || !declared->second.vram_minimum_mib) continue;
    const Bytes minimum = *declared->second.vram_minimum_mib * kMiB;
    if (!least || minimum < *least) least = minimum;
  }
  return least.value_or(kHeadroom);
}

void add_memory(const AuditInput& input, const PolicyCard& policy_card, const Card& card, Report& report) {
  Bytes evicted = 0;
  bool used = false;
  for (const Holder& holder : card.holders) {
    if (holder.evicted) evicted += *holder.evicted;
    used = used || holder.uses != Truth::no;
  }
  if (!used) return;
  const std::string& id = policy_card.id.text();
  const bool measured = card.memory_total && card.memory_used && *card.memory_used <= *card.memory_total;
  const Bytes left = measured ? *card.memory_total - *card.memory_used : 0;
  const bool low = measured && left < headroom_rule(input, card);
  if (evicted > kEvicted || (low && card.gtt_used && *card.gtt_used > kMuchOutside)) {
    const Bytes outside = evicted > kEvicted ? evicted : *card.gtt_used;
    report.add(
        "vram-spill",
        {id,
         fmt::format("{} of what belongs into the memory of {} lies in system memory{}.", bytes_text(outside),
                     id, measured ? fmt::format(", with {} left on the card", bytes_text(left)) : ""),
         "Let the server use less memory, or end who else has memory on the card."});
  } else if (low) {
    report.add(
        "vram-headroom-low",
        {id,
         fmt::format("{} has {} of {} memory left, less than {}.", id, bytes_text(left),
                     bytes_text(*card.memory_total), bytes_text(headroom_rule(input, card))),
         "Let the server use less, or write down its measured need as `vram_minimum:` in the policy."});
  }
}

}  // namespace

void audit_holders(const AuditInput& input, Report& report) {
  add_unknown(input, report);
  for (const PolicyCard& policy_card : input.policy.cards) {
    const Card* card = input.state.card(policy_card.pci);
    if (card == nullptr) continue;
    add_foreign(input, policy_card, *card, report);
    add_memory(input, policy_card, *card, report);
  }
}

}  // namespace interlock::decide

#include "decide/sketch_host.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "decide/sketch_containers.h"

namespace interlock::decide {
namespace {

bool is_guardable(const FoundCard& card) {
  const auto seen = [](const auto& limits) { return limits.has_value(); };
  return !card.untold.empty() || std::ranges::any_of(card.limits, seen);
}

void add_cards(const FoundCards& found, const std::vector<NamedCard>& named, Sketched& drawn) {
  for (const NamedCard& card : named) {
    drawn.sketch.cards.push_back({policy_card(card), card_note(card)});
    if (!card.found.unique_id) {
      drawn.remarks.push_back({fmt::format(
          "{} gives no unique_id: another card in its slot would not be noticed", card.id.text())});
    }
  }
  drawn.sketch.cards_left_out = left_out(found, named);
  for (const std::string& why : drawn.sketch.cards_left_out) drawn.remarks.push_back({why});
}

void add_containers(const HostState& state, Sketched& drawn) {
  for (const Container& container : state.containers) {
    if (!uses_cards(state, container)) continue;
    SketchContainer sketch = sketch_container(state, container, drawn.remarks);
    if (sketch.units.empty()) {
      const std::string none = "no service in it uses a card now, so none is named; name those that shall";
      sketch.notes.push_back(none + ".");
      drawn.remarks.push_back({fmt::format("container {}: {}", container.vmid.text(), none)});
    } else {
      sketch.notes.push_back("Only what uses a card now is named; name its other services for cards, too.");
    }
    drawn.sketch.containers.push_back(std::move(sketch));
  }
  if (drawn.sketch.containers.empty())
    drawn.remarks.push_back({"no container binds a card, so none is named"});
}

}  // namespace

std::vector<NamedCard> guardable(const std::vector<FoundCard>& found) {
  std::vector<NamedCard> named;
  for (const FoundCard& card : found) {
    if (is_guardable(card)) named.push_back({card_name_at(named.size()), card});
  }
  return named;
}

PolicyCard policy_card(const NamedCard& card) {
  PolicyCard result{.id = card.id, .pci = card.found.pci, .unique_id = std::nullopt, .shared = false};
  if (card.found.unique_id && is_unique_id(*card.found.unique_id)) result.unique_id = card.found.unique_id;
  return result;
}

std::string card_note(const NamedCard& card) {
  const std::string memory = card.found.memory ? bytes_text(*card.found.memory) : "memory not told";
  const std::string untold =
      card.found.untold.empty()
          ? ""
          : fmt::format("; its temperatures could not all be told: {}", card.found.untold);
  return fmt::format("amdgpu, {}{}", memory, untold);
}

std::vector<std::string> left_out(const FoundCards& found, const std::vector<NamedCard>& named) {
  std::vector<std::string> why;
  const auto is_named = [&](const PciAddress& pci) {
    return std::ranges::any_of(named, [&](const NamedCard& one) { return one.found.pci == pci; });
  };
  for (const FoundCard& card : found.cards) {
    if (is_named(card.pci)) continue;
    const std::string reason =
        is_guardable(card)
            ? std::string("nothing names it")
            : fmt::format("its driver gives neither a junction nor a memory temperature, only {}",
                          joined(card.channels, ", "));
    why.push_back(fmt::format("{} is in the machine and not guarded here: {}", card.pci.text(), reason));
  }
  for (const OtherCard& card : found.others) {
    if (is_named(card.pci)) continue;
    why.push_back(fmt::format("{} is in the machine and not guarded here: {}", card.pci.text(),
                              card.driver.empty()
                                  ? std::string("it has no driver")
                                  : fmt::format("its driver is {}, not amdgpu", card.driver)));
  }
  for (const std::string& untold : found.untold) why.push_back("cannot tell " + untold);
  return why;
}

Sketched sketch_host(const FoundCards& found, const HostState& state) {
  Sketched drawn;
  drawn.sketch.heading = {
      "A first policy for this host, as `gpu-interlock policy init` saw it. Look it through, put it at "
      "/etc/gpu-interlock/policy.yaml, and let `gpu-interlock policy check` and `gpu-interlock audit` say "
      "what they think of it.",
      "What begins with 'ours:' was not read from this host: it is a default, and yours to change."};
  const auto named = guardable(found.cards);
  add_cards(found, named, drawn);
  for (const Channel channel : kChannels)
    drawn.sketch.channels[static_cast<std::size_t>(channel)] = limits_for(channel, named, drawn.remarks);
  drawn.sketch.poll.note = "ours: both";
  drawn.sketch.latch.note =
      "ours: after a trip the card stays empty until a person has looked (gpu-interlock reset CARD)";
  drawn.sketch.last_resort.note =
      "ours: a hot card that nothing sheds does not power the host off; the other word is poweroff";
  add_containers(state, drawn);
  remark_on_state(state, drawn.remarks);
  return drawn;
}

}  // namespace interlock::decide

#include "decide/sketch_import.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/text.h"
#include "decide/sketch_containers.h"
#include "decide/sketch_import_containers.h"

namespace interlock::decide {
namespace {

class Import {
 public:
  Import(const Watchdog& watchdog, const FoundCards& found, const Result<HostState>& state)
      : watchdog_(watchdog), found_(found), state_(state) {}

  Sketched draw(const std::string& file) {
    drawn_.sketch.heading = {
        fmt::format("A policy out of the watchdog's {}, as `gpu-interlock policy import` understood it.",
                    file),
        "What begins with 'ours:' is not in that file: it is a default, or was seen on this host. Look it "
        "through."};
    if (!state_)
      remark(fmt::format("nothing in the file could be held against this host: {}", state_.error().message));
    add_cards();
    add_channels();
    add_guard();
    import_containers(watchdog_, state_ ? &*state_ : nullptr, drawn_);
    if (state_) remark_on_state(*state_, drawn_.remarks);
    return std::move(drawn_);
  }

 private:
  void remark(std::string message, int line = 0) { drawn_.remarks.push_back({std::move(message), line}); }

  void add_cards() {
    for (std::size_t at = 0; at < watchdog_.cards.size(); ++at) {
      const PciAddress& pci = watchdog_.cards[at];
      const auto found = std::ranges::find(found_.cards, pci, &FoundCard::pci);
      NamedCard card{card_name_at(at), found != found_.cards.end() ? *found : FoundCard{.pci = pci}};
      if (found != found_.cards.end()) {
        const PolicyCard declared = policy_card(card);
        const std::string ours = declared.unique_id ? "; ours: unique_id, as its driver gives it" : "";
        drawn_.sketch.cards.push_back({declared, card_note(card) + ours});
        named_.push_back(std::move(card));
      } else {
        add_unfound(std::move(card));
      }
    }
    for (const std::string& why : left_out(found_, named_)) {
      remark(why);
      drawn_.sketch.cards_left_out.push_back(why);
    }
  }

  /// A card that amdgpu has not now. One that another driver has may be back tomorrow.
  void add_unfound(NamedCard card) {
    const std::string& pci = card.found.pci.text();
    const auto other = std::ranges::find(found_.others, card.found.pci, &OtherCard::pci);
    if (!state_) {
      card.found.untold = "not looked at";
    } else if (other != found_.others.end()) {
      card.found.untold =
          other->driver.empty() ? "it has no driver now" : "its driver is " + other->driver + " now";
      remark(fmt::format("{} is guarded once amdgpu has it: {}", pci, card.found.untold));
    } else {
      remark(fmt::format(
          "{} is not in this machine, or no card: it is left out, as a guard of it would guard nothing",
          pci));
      drawn_.sketch.cards_left_out.push_back(fmt::format("{} is in the file and not in this machine", pci));
      return;
    }
    drawn_.sketch.cards.push_back({policy_card(card), card.found.untold});
    named_.push_back(std::move(card));
  }

  void add_channels() {
    add_channel(Channel::junction, watchdog_.trip_junction, "TRIP_JUNCTION_C");
    add_channel(Channel::memory, watchdog_.trip_memory, "TRIP_MEM_C");
  }

  void add_channel(Channel channel, const std::optional<Celsius>& trip, std::string_view key) {
    std::vector<Remark> of_the_cards;
    const Noted<Limits> ours = limits_for(channel, named_, of_the_cards);
    drawn_.remarks.insert(drawn_.remarks.end(), of_the_cards.begin(), of_the_cards.end());
    Noted<Limits> limits = ours;
    if (trip) {
      limits.value.trip = *trip;
      limits.note = fmt::format("trip is {}.", key);
      check_against_cards(channel, *trip, key);
    } else {
      remark(fmt::format("the file gives no {} that can be used: the trip at {} is ours", key,
                         to_string(ours.value.trip)));
    }
    limits.value.resume = resume_below(limits, key);
    const Celsius usual = limits.value.trip - Celsius::from_degrees(kWarnBelowTrip);
    const Celsius least = limits.value.resume + Celsius::from_degrees(1);
    limits.value.warn = std::max(usual, least);
    if (trip) limits.note += " ours: warn.";
    drawn_.sketch.channels[static_cast<std::size_t>(channel)] = limits;
  }

  /// RESUME_C where it leaves room for `warn` between it and the trip.
  Celsius resume_below(Noted<Limits>& limits, std::string_view key) {
    constexpr Celsius kRoom = Celsius::from_degrees(2);
    if (watchdog_.resume && *watchdog_.resume + kRoom <= limits.value.trip) {
      limits.note += " resume is RESUME_C.";
      return *watchdog_.resume;
    }
    const Celsius lowest = Celsius::from_degrees(1);
    const Celsius ours = std::max(limits.value.trip - Celsius::from_degrees(kResumeBelowTrip), lowest);
    if (watchdog_.resume) {
      remark(fmt::format("RESUME_C is {}, which leaves no room below the trip of {} at {}: {} is ours",
                         to_string(*watchdog_.resume), key, to_string(limits.value.trip), to_string(ours)));
    } else {
      remark(fmt::format("the file gives no RESUME_C that can be used: {} below {} is ours", to_string(ours),
                         key));
    }
    limits.note += " ours: resume.";
    return ours;
  }

  void check_against_cards(Channel channel, Celsius trip, std::string_view key) {
    for (const NamedCard& card : named_) {
      const auto& own = card.found.limits[static_cast<std::size_t>(channel)];
      if (!own || !is_sane(own->emergency) || trip < *own->emergency) continue;
      remark(fmt::format(
          "{} is {}, and at {} the driver of {} powers the whole host off: the trip would come too late; "
          "lower it",
          key, to_string(trip), to_string(*own->emergency), card.id.text()));
    }
  }

  void add_guard() {
    Sketch& sketch = drawn_.sketch;
    if (watchdog_.poll) {
      sketch.poll = {*watchdog_.poll, "poll is POLL_SECS. ours: poll_warm."};
      sketch.poll_warm.value = std::min(sketch.poll_warm.value, *watchdog_.poll);
    } else {
      sketch.poll.note = "ours: both";
    }
    if (!watchdog_.auto_resume) {
      sketch.latch.note =
          "ours: after a trip the card stays empty until a person has looked (gpu-interlock reset CARD)";
    } else if (*watchdog_.auto_resume) {
      sketch.latch = {LatchMode::until_cool,
                      "AUTO_RESUME was on: once cool, what was shed is started again. "
                      "until-reset waits until a person has looked."};
    } else {
      sketch.latch.note =
          "AUTO_RESUME was off: after a trip the card stays empty until gpu-interlock reset CARD";
    }
    add_action();
  }

  void add_action() {
    Noted<LastResort>& last = drawn_.sketch.last_resort;
    last.note = "ours: a hot card that nothing sheds does not power the host off; the other word is poweroff";
    if (!watchdog_.action || watchdog_.action->empty()) return;
    const std::string& action = *watchdog_.action;
    if (action == "poweroff" || action == "shutdown" || action == "halt") {
      last = {LastResort::poweroff,
              "WATCHDOG_ACTION was " + action + ": here only when nothing takes the load off a hot card"};
      remark(fmt::format("WATCHDOG_ACTION is {}: here a trip first takes the load off the card, and the host "
                         "is powered off "
                         "only when nothing does",
                         action),
             watchdog_.action_line);
    } else if (action != "stop") {
      remark(fmt::format("WATCHDOG_ACTION is '{}', which could not be carried over: a trip stops what uses "
                         "the card, then "
                         "kills it, then stops its container",
                         printable(action)),
             watchdog_.action_line);
    }
  }

  const Watchdog& watchdog_;
  const FoundCards& found_;
  const Result<HostState>& state_;
  std::vector<NamedCard> named_;
  Sketched drawn_;
};

}  // namespace

Sketch watchdog_sketch(const Watchdog& watchdog) {
  std::vector<PolicyCard> cards;
  for (std::size_t at = 0; at < watchdog.cards.size(); ++at)
    cards.push_back(policy_card({card_name_at(at), FoundCard{.pci = watchdog.cards[at]}}));
  Sketch sketch = bare_sketch(cards);
  std::map<Vmid, SketchContainer> containers;
  for (const ServiceOfCard& service : watchdog.services) {
    auto& units =
        containers.try_emplace(service.vmid, SketchContainer{.vmid = service.vmid}).first->second.units;
    if (std::ranges::none_of(units, [&](const auto& one) { return one.value == service.unit; }))
      units.push_back({service.unit});
  }
  for (auto& [vmid, container] : containers) sketch.containers.push_back(std::move(container));
  return sketch;
}

Sketched sketch_import(const Watchdog& watchdog, const FoundCards& found, const Result<HostState>& state,
                       const std::string& file) {
  return Import(watchdog, found, state).draw(file);
}

}  // namespace interlock::decide

#include "daemon/status_json.h"

#include <unistd.h>

#include "decide/use.h"
#include "model/json_bytes.h"

namespace interlock::daemon {
namespace {

using nlohmann::json;
using namespace std::chrono_literals;

json to_json(const Verdict& verdict, Instant now) {
  json value{{"celsius", nullptr}, {"verdict", to_string(verdict.kind)}, {"age_ms", nullptr}};
  if (verdict.celsius) value["celsius"] = verdict.celsius->degrees();
  if (verdict.taken_at != Instant{}) value["age_ms"] = (now - verdict.taken_at) / 1ms;
  if (!verdict.why.empty()) value["why"] = verdict.why;
  return value;
}

json channels_json(const Verdicts& verdicts, Instant now) {
  json channels = json::object();
  for (const Channel channel : kChannels) {
    const auto& verdict = verdicts[static_cast<std::size_t>(channel)];
    if (verdict) channels[std::string(to_string(channel))] = to_json(*verdict, now);
  }
  return channels;
}

json to_json(const Holder& holder) {
  json value{{"pid", holder.process.pid}, {"container", nullptr},    {"unit", nullptr},
             {"vram_bytes", nullptr},     {"vram_told_by", nullptr}, {"idle", nullptr}};
  if (holder.place.container) value["container"] = holder.place.container->number();
  if (holder.place.unit) value["unit"] = holder.place.unit->text();
  if (const auto memory = decide::memory_of(holder)) {
    value["vram_bytes"] = *memory;
    value["vram_told_by"] = holder.memory ? "fdinfo" : "kfd";
  }
  if (holder.uses != Truth::unknown) value["idle"] = holder.uses == Truth::no;
  return value;
}

json to_json(const TripTiming& timing) {
  return {{"sample_at_ns", to_ns(timing.sample_at)},
          {"judged_at_ns", to_ns(timing.judged_at)},
          {"first_rung_at_ns", to_ns(timing.first_rung_at)}};
}

json card_json(const CardWatch& watch, const HolderWatch& holders, Instant now) {
  const CardGuard& guard = watch.guard();
  json value{{"id", guard.card.id.text()},
             {"pci", guard.card.pci.text()},
             {"state", to_string(guard.state())},
             {"reason", guard.reason()},
             {"latched", guard.trip.latched},
             {"channels", channels_json(guard.verdicts(), now)},
             {"holders", json::array()},
             {"shedding", watch.shedding()},
             {"trips", watch.trips()},
             {"sheds", watch.sheds()},
             {"refills", watch.refills().total()},
             {"readers", {{"replaced", watch.reader().replaced()}, {"hung", watch.reader().hung()}}},
             {"last_trip", nullptr}};
  for (const Holder& holder : holders.view().holders(guard.card.pci))
    value["holders"].push_back(to_json(holder));
  if (watch.timing()) value["last_trip"] = to_json(*watch.timing());
  return value;
}

}  // namespace

std::string daemon_status(const std::list<std::unique_ptr<CardWatch>>& cards, const HolderWatch& holders,
                          const LeftBehind& left_behind, const std::string& broken, bool fresh, Instant now) {
  json value{{"schema", 1},
             {"cards", json::array()},
             {"guard",
              {{"running", true},
               {"fresh", fresh},
               {"pid", ::getpid()},
               {"policy_broken", broken},
               {"left_behind", left_behind.count()},
               {"holders",
                {{"known", holders.view().known(now)},
                 {"unknown", holders.view().unknown().size()},
                 {"late", holders.late()},
                 {"trouble", holders.trouble()}}}}}};
  for (const auto& card : cards) value["cards"].push_back(card_json(*card, holders, now));
  return compact(value);
}

}  // namespace interlock::daemon

#include "cli/render.h"
#include "decide/use.h"

namespace interlock::cli {
namespace {

nlohmann::json channels_json(const Verdicts& verdicts, Instant now) {
  nlohmann::json json = nlohmann::json::object();
  for (const Channel channel : kChannels) {
    const auto& verdict = verdicts[static_cast<std::size_t>(channel)];
    if (!verdict) continue;
    nlohmann::json one = {{"celsius", nullptr}, {"verdict", to_string(verdict->kind)}, {"age_ms", nullptr}};
    if (verdict->celsius) one["celsius"] = verdict->celsius->degrees();
    if (verdict->taken_at != Instant{}) {
      one["age_ms"] = std::chrono::duration_cast<std::chrono::milliseconds>(now - verdict->taken_at).count();
    }
    if (!verdict->why.empty()) one["why"] = verdict->why;
    json[std::string(to_string(channel))] = one;
  }
  return json;
}

template <class Name>
nlohmann::json name_or_null(const std::optional<Name>& name) {
  return name ? nlohmann::json(name->text()) : nlohmann::json(nullptr);
}

nlohmann::json number_or_null(const std::optional<Vmid>& vmid) {
  return vmid ? nlohmann::json(vmid->number()) : nlohmann::json(nullptr);
}

nlohmann::json holder_json(const Holder& holder) {
  nlohmann::json json = {{"pid", holder.process.pid},
                         {"command", holder.command},
                         {"container", number_or_null(holder.place.container)},
                         {"unit", name_or_null(holder.place.unit)},
                         {"vram_bytes", nullptr},
                         {"vram_told_by", nullptr},
                         {"engine_percent", nullptr},
                         {"idle", nullptr}};
  if (holder.engine_percent) json["engine_percent"] = *holder.engine_percent;
  if (const auto memory = decide::memory_of(holder)) {
    json["vram_bytes"] = *memory;
    json["vram_told_by"] = holder.memory ? "fdinfo" : "kfd";
  }
  if (holder.uses != Truth::unknown) json["idle"] = holder.uses == Truth::no;
  return json;
}

nlohmann::json card_json(const CardStatus& status, Instant now) {
  const Card& card = *status.card;
  nlohmann::json json = {{"id", card.id.text()},
                         {"pci", card.pci.text()},
                         {"state", to_string(status.state)},
                         {"guarded", status.guarded},
                         {"reason", status.reason},
                         {"channels", channels_json(status.verdicts, now)},
                         {"map",
                          {{"state", decide::to_string(status.use.state)},
                           {"container", number_or_null(status.use.container)},
                           {"unit", name_or_null(status.use.unit)}}},
                         {"holders", nlohmann::json::array()}};
  for (const Holder& holder : card.holders) json["holders"].push_back(holder_json(holder));
  return json;
}

nlohmann::json container_json(const Container& container, const Policy& policy) {
  nlohmann::json json = {{"vmid", container.vmid.number()},       {"name", container.name},
                         {"state", to_string(container.running)}, {"autostart", container.autostart.any()},
                         {"cards", nlohmann::json::array()},      {"units", nlohmann::json::array()}};
  for (const PciAddress& card : container.cards()) json["cards"].push_back(policy.card_name(card));
  for (const Unit& unit : container.units) {
    json["units"].push_back(
        {{"unit", unit.name.text()}, {"active", to_string(unit.active)}, {"enabled", to_string(unit.file)}});
  }
  return json;
}

}  // namespace

nlohmann::json status_json(const HostState& state, const Policy& policy, const Audit& audit) {
  nlohmann::json json = audit_json(audit);
  json["node"] = state.node;
  json["guard"] = {{"running", truth_json(state.guard.running)}, {"fresh", state.guard.fresh}};
  json["cutover"] = nullptr;
  if (state.cutover) {
    json["cutover"] = {
        {"id", state.cutover->id}, {"name", state.cutover->name}, {"state", state.cutover->state}};
  }
  json["cards"] = nlohmann::json::array();
  for (const CardStatus& status : card_statuses(state, policy)) {
    json["cards"].push_back(card_json(status, state.taken_at));
  }
  json["containers"] = nlohmann::json::array();
  for (const Container& container : state.containers) {
    json["containers"].push_back(container_json(container, policy));
  }
  return json;
}

}  // namespace interlock::cli

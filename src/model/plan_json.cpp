#include "model/plan_json.h"

#include "model/json_bytes.h"

namespace interlock {
namespace {

using nlohmann::json;

json to_json(const Settings& settings) {
  json value = json::object();
  for (const auto& [key, text] : settings) value[key] = text ? bytes_to_json(*text) : json(nullptr);
  return value;
}

json to_json(const std::vector<std::string>& lines) {
  json list = json::array();
  for (const std::string& line : lines) list.push_back(bytes_to_json(line));
  return list;
}

template <class Cards>
json cards_json(const Cards& cards) {
  json list = json::array();
  for (const PciAddress& card : cards) list.push_back(card.text());
  return list;
}

json to_json(const Want& want) {
  json value = json::object();
  if (want.state) value["state"] = to_string(*want.state);
  if (want.cards) value["cards"] = cards_json(*want.cards);
  if (want.serve) value["serve"] = want.serve->text();
  if (want.retire_all) value["retire_all"] = true;
  if (!want.start) value["start"] = false;
  if (!want.serving) value["serving"] = false;
  if (!want.enable) value["enable"] = false;
  if (!want.settings.empty()) value["settings"] = to_json(want.settings);
  for (const auto& [card, lines] : want.lines) value["lines"][card.text()] = to_json(lines);
  if (want.keep_binding) value["keep_binding"] = true;
  return value;
}

Result<std::string> word(const json& value) {
  if (!value.is_string()) return fail("no text");
  return value.get<std::string>();
}

Result<bool> flag(const json& value) {
  if (!value.is_boolean()) return fail("neither true nor false");
  return value.get<bool>();
}

Result<PciAddress> card_from(const std::string& text) {
  const auto card = PciAddress::parse(text);
  if (!card) return fail("no card's address: \"{}\"", text);
  return *card;
}

Result<std::vector<std::string>> lines_from(const json& value) {
  if (!value.is_array()) return fail("no list of lines");
  std::vector<std::string> lines;
  for (const json& line : value) lines.push_back(TRY(bytes_from_json(line)));
  return lines;
}

Result<void> take(Want& want, const std::string& key, const json& value) {
  if (key == "state") {
    const std::string name = TRY(word(value));
    if (name == "running") {
      want.state = RunState::running;
    } else if (name == "stopped") {
      want.state = RunState::stopped;
    } else {
      return fail("neither running nor stopped: \"{}\"", name);
    }
  } else if (key == "cards") {
    if (!value.is_array()) return fail("no list of cards");
    want.cards.emplace();
    for (const json& item : value) {
      const std::string address = TRY(word(item));
      const PciAddress card = TRY(card_from(address));
      want.cards->insert(card);
    }
  } else if (key == "serve") {
    const std::string name = TRY(word(value));
    const auto unit = UnitName::parse(name);
    if (!unit) return fail("no unit's name");
    want.serve = *unit;
  } else if (key == "settings") {
    if (!value.is_object()) return fail("no settings");
    for (const auto& [name, text] : value.items()) {
      auto& setting = want.settings[name];
      if (!text.is_null()) setting = TRY(bytes_from_json(text));
    }
  } else if (key == "lines") {
    if (!value.is_object()) return fail("no lines by card");
    for (const auto& [address, lines] : value.items()) {
      const PciAddress card = TRY(card_from(address));
      want.lines[card] = TRY(lines_from(lines));
    }
  } else if (key == "retire_all") {
    want.retire_all = TRY(flag(value));
  } else if (key == "start") {
    want.start = TRY(flag(value));
  } else if (key == "serving") {
    want.serving = TRY(flag(value));
  } else if (key == "enable") {
    want.enable = TRY(flag(value));
  } else if (key == "keep_binding") {
    want.keep_binding = TRY(flag(value));
  } else {
    return fail("a key that this version does not know");
  }
  return {};
}

}  // namespace

json to_json(const Target& target) {
  json wants = json::object();
  for (const auto& [vmid, want] : target.wants) wants[vmid.text()] = to_json(want);
  return {{"name", bytes_to_json(target.name)}, {"wants", wants}};
}

json to_json(const Step& step) {
  json value{
      {"id", step.id}, {"kind", to_string(step.kind)}, {"subject", step.subject()}, {"text", step.text}};
  if (step.container) value["container"] = step.container->number();
  if (step.unit) value["unit"] = step.unit->text();
  if (!step.cards.empty()) value["cards"] = cards_json(step.cards);
  if (step.kind == StepKind::take_card || step.kind == StepKind::give_card)
    value["owner"] = step.owner.text();
  if (!step.card_name.empty()) value["card"] = step.card_name;
  if (!step.settings.empty()) value["settings"] = to_json(step.settings);
  if (!step.lines.empty()) value["lines"] = to_json(step.lines);
  return value;
}

json to_json(const Plan& plan) {
  json steps = json::array();
  for (const Step& step : plan.steps) steps.push_back(to_json(step));
  json digests = json::object();
  for (const auto& [vmid, digest] : plan.digests) digests[vmid.text()] = digest;
  return {
      {"target", to_json(plan.target)}, {"steps", steps}, {"digests", digests}, {"boot_id", plan.boot_id}};
}

Result<Target> target_from_json(const json& value) {
  if (!value.is_object() || !value.contains("name") || !value.contains("wants") ||
      !value["wants"].is_object()) {
    return fail("no target: it needs a name and wants");
  }
  Target target;
  target.name = TRY(in_context(bytes_from_json(value["name"]), "a target's name"));
  for (const auto& [number, wanted] : value["wants"].items()) {
    const auto vmid = Vmid::parse(number);
    if (!vmid || !wanted.is_object()) return fail("no want of a container: \"{}\"", number);
    Want& want = target.wants[*vmid];
    for (const auto& [key, what] : wanted.items()) {
      TRY(in_context(take(want, key, what),
                     fmt::format("what is wanted of container {}, \"{}\"", number, key)));
    }
  }
  return target;
}

}  // namespace interlock

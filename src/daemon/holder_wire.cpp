#include "daemon/holder_wire.h"

#include <fmt/ranges.h>

#include "base/text.h"
#include "model/json_bytes.h"

namespace interlock::daemon {
namespace {

using nlohmann::json;

constexpr std::string_view kEverywhere = "everywhere";

json to_json(const Place& place) {
  json value{{"cgroup", bytes_to_json(place.cgroup)}, {"known", place.known}, {"whole", place.whole}};
  if (place.container) value["container"] = place.container->text();
  if (place.unit) value["unit"] = place.unit->text();
  return value;
}

json to_json(const Holder& holder) {
  json value{{"pid", holder.process.pid},
             {"started", holder.process.started},
             {"command", bytes_to_json(holder.command)},
             {"card", holder.card.text()},
             {"place", to_json(holder.place)},
             {"kfd_queue", holder.kfd_queue},
             {"uses", static_cast<int>(holder.uses)}};
  if (holder.memory) value["memory"] = *holder.memory;
  if (holder.engine_ns) value["engine_ns"] = *holder.engine_ns;
  if (holder.kfd_memory) value["kfd_memory"] = *holder.kfd_memory;
  return value;
}

/// A name was valid when the helper wrote it; anything else is an error of ours, thrown here and caught
/// below.
template <class Name>
Name name_from_text(const std::string& text) {
  const auto name = Name::parse(text);
  if (!name) throw json::other_error::create(501, "no valid name: " + text, nullptr);
  return *name;
}

template <class Name>
Name name_from(const json& value) {
  return name_from_text<Name>(value.get<std::string>());
}

std::string text_from(const json& value) {
  const auto text = bytes_from_json(value);
  if (!text) throw json::other_error::create(501, text.error().message, nullptr);
  return *text;
}

template <class T>
std::optional<T> number_from(const json& object, const char* key) {
  if (!object.contains(key)) return std::nullopt;
  return object.at(key).get<T>();
}

Place place_from(const json& value) {
  Place place;
  place.cgroup = text_from(value.at("cgroup"));
  place.known = value.at("known").get<bool>();
  place.whole = value.at("whole").get<bool>();
  if (value.contains("container")) place.container = name_from<Vmid>(value.at("container"));
  if (value.contains("unit")) place.unit = name_from<UnitName>(value.at("unit"));
  return place;
}

Truth truth_from(const json& value) {
  switch (value.get<int>()) {
    case static_cast<int>(Truth::no):
      return Truth::no;
    case static_cast<int>(Truth::yes):
      return Truth::yes;
    default:
      return Truth::unknown;
  }
}

Holder holder_from(const json& value) {
  return {.process = {value.at("pid").get<Pid>(), value.at("started").get<std::uint64_t>()},
          .command = text_from(value.at("command")),
          .card = name_from<PciAddress>(value.at("card")),
          .place = place_from(value.at("place")),
          .memory = number_from<Bytes>(value, "memory"),
          .engine_ns = number_from<std::uint64_t>(value, "engine_ns"),
          .kfd_memory = number_from<Bytes>(value, "kfd_memory"),
          .kfd_queue = value.at("kfd_queue").get<bool>(),
          .uses = truth_from(value.at("uses"))};
}

HolderLook holders_from(const json& value) {
  HolderLook look;
  for (const json& one : value.at("holders")) look.holders.push_back(holder_from(one));
  for (const json& one : value.at("unknown")) {
    look.unknown.push_back({one.at("pid").get<Pid>(), place_from(one.at("place")), text_from(one.at("why"))});
  }
  return look;
}

BindingLook bindings_from(const json& value) {
  BindingLook look;
  for (const auto& [card, vmids] : value.at("running").items()) {
    auto& running = look.running[name_from_text<PciAddress>(card)];
    for (const json& vmid : vmids) running.insert(name_from<Vmid>(vmid));
  }
  for (const json& card : value.at("may_sleep")) look.may_sleep.insert(name_from<PciAddress>(card));
  for (const json& text : value.at("trouble")) look.trouble.push_back(text_from(text));
  return look;
}

/// nlohmann throws where a member is missing or of another type; that ends here.
template <class Look>
Result<Look> parse_line(std::string_view line, Look (*from)(const json&)) {
  const json value = TRY(parse_json(line));
  try {
    if (value.contains("trouble_instead")) return fail("{}", text_from(value.at("trouble_instead")));
    return from(value);
  } catch (const json::exception& error) {
    return fail("a helper's answer is not whole: {}", error.what());
  }
}

}  // namespace

std::string holder_question(const std::optional<std::set<Vmid>>& containers) {
  if (!containers) return std::string(kEverywhere);
  std::vector<std::string> words;
  for (const Vmid vmid : *containers) words.push_back(vmid.text());
  return fmt::format("{}", fmt::join(words, " "));
}

Result<std::optional<std::set<Vmid>>> parse_holder_question(std::string_view line) {
  if (line == kEverywhere) return std::nullopt;
  std::set<Vmid> containers;
  for (const std::string_view word : words(line)) {
    const auto vmid = Vmid::parse(word);
    if (!vmid) return fail("a helper was asked about \"{}\", which is no container", word);
    containers.insert(*vmid);
  }
  return containers;
}

std::string holder_line(const HolderLook& look) {
  json holders = json::array();
  for (const Holder& holder : look.holders) holders.push_back(to_json(holder));
  json unknown = json::array();
  for (const UnknownHolder& holder : look.unknown) {
    unknown.push_back(
        {{"pid", holder.pid}, {"place", to_json(holder.place)}, {"why", bytes_to_json(holder.why)}});
  }
  return compact({{"holders", holders}, {"unknown", unknown}});
}

Result<HolderLook> parse_holder_line(std::string_view line) {
  return parse_line(line, holders_from);
}

std::string trouble_line(std::string_view trouble) {
  return compact({{"trouble_instead", bytes_to_json(trouble)}});
}

std::string binding_line(const BindingLook& look) {
  json running = json::object();
  for (const auto& [card, vmids] : look.running) {
    json& list = running[card.text()] = json::array();
    for (const Vmid vmid : vmids) list.push_back(vmid.text());
  }
  json may_sleep = json::array();
  for (const PciAddress& card : look.may_sleep) may_sleep.push_back(card.text());
  json trouble = json::array();
  for (const std::string& text : look.trouble) trouble.push_back(bytes_to_json(text));
  return compact({{"running", running}, {"may_sleep", may_sleep}, {"trouble", trouble}});
}

Result<BindingLook> parse_binding_line(std::string_view line) {
  return parse_line(line, bindings_from);
}

}  // namespace interlock::daemon

// The guard report as JSON: the other half of state_text.h.
#include "model/json_bytes.h"
#include "model/state_text.h"

namespace interlock {
namespace {

using nlohmann::json;

json to_json(const Verdict& verdict) {
  json value{
      {"verdict", to_string(verdict.kind)}, {"taken_at_ns", to_ns(verdict.taken_at)}, {"why", verdict.why}};
  if (verdict.celsius) value["millidegrees"] = verdict.celsius->milli();
  return value;
}

Result<std::int64_t> integer(const json& object, const char* key) {
  if (!object.is_object() || !object.contains(key) || !object[key].is_number_integer()) {
    return fail("no whole number \"{}\"", key);
  }
  return object[key].get<std::int64_t>();
}

Result<std::string> word(const json& object, const char* key) {
  if (!object.is_object() || !object.contains(key) || !object[key].is_string())
    return fail("no text \"{}\"", key);
  return object[key].get<std::string>();
}

Result<Verdict> verdict_from(const json& value) {
  Verdict verdict;
  const std::string kind = TRY(word(value, "verdict"));
  const auto known = verdict_kind(kind);
  if (!known) return fail("no verdict: \"{}\"", kind);
  verdict.kind = *known;
  const std::int64_t taken_at = TRY(integer(value, "taken_at_ns"));
  verdict.taken_at = instant_from_ns(taken_at);
  verdict.why = TRY(word(value, "why"));
  if (value.contains("millidegrees")) {
    const std::int64_t milli = TRY(integer(value, "millidegrees"));
    verdict.celsius = Celsius::from_milli(milli);
  }
  if (verdict.celsius.has_value() != (verdict.kind == VerdictKind::measured)) {
    return fail("a temperature goes with \"measured\", and with nothing else");
  }
  return verdict;
}

Result<void> take_card(GuardReport& report, const CardId& id, const json& value) {
  if (!value.is_object()) return fail("no card");
  if (value.contains("state")) {
    const std::string name = TRY(word(value, "state"));
    const auto state = guard_state(name);
    if (!state) return fail("no state of a card: \"{}\"", name);
    report.states[id] = *state;
  }
  if (value.contains("reason")) report.reasons[id] = TRY(word(value, "reason"));
  if (!value.contains("channels")) return {};
  Verdicts& verdicts = report.verdicts[id];
  for (const Channel channel : kChannels) {
    const std::string name(to_string(channel));
    if (!value["channels"].is_object()) return fail("channels that are no object");
    if (!value["channels"].contains(name)) continue;
    verdicts[static_cast<std::size_t>(channel)] =
        TRY(in_context(verdict_from(value["channels"][name]), name));
  }
  return {};
}

}  // namespace

std::string guard_text(const GuardReport& report, std::string_view boot_id) {
  json cards = json::object();
  for (const auto& [id, state] : report.states) cards[id.text()]["state"] = to_string(state);
  for (const auto& [id, reason] : report.reasons) cards[id.text()]["reason"] = reason;
  for (const auto& [id, verdicts] : report.verdicts) {
    json& channels = cards[id.text()]["channels"] = json::object();
    for (const Channel channel : kChannels) {
      const auto& verdict = verdicts[static_cast<std::size_t>(channel)];
      if (verdict) channels[std::string(to_string(channel))] = to_json(*verdict);
    }
  }
  json body{{"schema", 1}, {"boot_id", boot_id}, {"fresh", report.fresh}, {"cards", cards}};
  if (report.judged_at) body["judged_at_ns"] = to_ns(*report.judged_at);
  return compact(body) + "\n";
}

Result<GuardReport> parse_guard(std::string_view text, std::string_view boot_id) {
  const json body = TRY(in_context(parse_json(text), "the guard's report"));
  if (TRY(in_context(integer(body, "schema"), "the guard's report")) != 1) {
    return fail("the guard's report has another schema than 1");
  }
  if (TRY(in_context(word(body, "boot_id"), "the guard's report")) != boot_id) {
    return fail("the guard's report is of another boot");
  }
  if (!body.contains("fresh") || !body["fresh"].is_boolean() || !body.contains("cards") ||
      !body["cards"].is_object()) {
    return fail("the guard's report is not whole");
  }
  GuardReport report;
  report.fresh = body["fresh"].get<bool>();
  if (body.contains("judged_at_ns")) {
    const std::int64_t judged_at = TRY(in_context(integer(body, "judged_at_ns"), "the guard's report"));
    report.judged_at = instant_from_ns(judged_at);
  }
  for (const auto& [name, value] : body["cards"].items()) {
    const auto id = CardId::parse(name);
    if (!id) return fail("the guard's report names no card: \"{}\"", name);
    TRY(in_context(take_card(report, *id, value), fmt::format("the guard's report of {}", name)));
  }
  return report;
}

}  // namespace interlock

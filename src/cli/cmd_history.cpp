#include <fmt/format.h>

#include <map>
#include <memory>

#include "act/journal.h"
#include "base/text.h"
#include "cli/commands.h"
#include "host/paths.h"

namespace interlock::cli {
namespace {

/// What the last record says of the end: "done", "rolled-back", ...; "open" before there is one.
std::string result_of(const JournalReading& reading) {
  if (!reading.ended()) return "open";
  const auto& body = reading.records.back().body;
  return body.contains("result") && body["result"].is_string() ? body["result"].get<std::string>() : "ended";
}

nlohmann::json summary_json(const JournalReading& reading) {
  return {{"id", reading.id},
          {"name", reading.name()},
          {"result", result_of(reading)},
          {"damage", reading.damage}};
}

Outcome all(Context& context) {
  const auto ids = act::journal_ids(context.host);
  if (!ids) return failed(exits::kUnreadable, ids.error().message);
  Outcome outcome;
  outcome.json["cutovers"] = nlohmann::json::array();
  std::vector<std::vector<Cell>> rows = {{"ID", "CUTOVER", "RESULT"}};
  for (const std::string& id : *ids) {
    const auto reading = act::read_journal(context.host, id);
    if (!reading) {
      rows.push_back({id, "", "cannot be read: " + reading.error().message});
      outcome.json["cutovers"].push_back(
          {{"id", id}, {"name", ""}, {"result", "unreadable"}, {"damage", reading.error().message}});
      continue;
    }
    outcome.json["cutovers"].push_back(summary_json(*reading));
    rows.push_back({id, printable(reading->name()), result_of(*reading)});
  }
  outcome.text = ids->empty() ? "No cutover has been run on this host.\n" : table(rows);
  return outcome;
}

/// The sentences of the steps of the plan that a record embeds, by their number; none: it embeds no plan.
std::map<int, std::string> steps_of(const JournalRecord& record) {
  std::map<int, std::string> steps;
  const auto plan = record.body.find("plan");
  if (plan == record.body.end() || !plan->is_object() || !plan->contains("steps")) return steps;
  for (const auto& step : (*plan)["steps"]) {
    if (!step.is_object() || !step.contains("id") || !step.contains("text")) continue;
    if (!step["id"].is_number_integer() || !step["text"].is_string()) continue;
    steps[step["id"].get<int>()] = step["text"].get<std::string>();
  }
  return steps;
}

/// What a step that is about to be taken does; nothing where the plan does not tell.
std::string announced(const JournalRecord& record, const std::map<int, std::string>& steps) {
  const auto number = record.body.find("step");
  if (record.kind != "intent" || number == record.body.end() || !number->is_number_integer()) return {};
  const auto step = steps.find(number->get<int>());
  return step == steps.end() ? std::string() : "  " + printable(step->second);
}

/// A record as a line: what a person wants of it, not the policy and plan that it embeds.
std::string record_text(const JournalRecord& record) {
  std::string text = record.kind;
  for (const auto& [key, value] : record.body.items()) {
    if (value.is_string() && key != "policy")
      text += fmt::format("  {}: {}", key, printable(value.get<std::string>()));
    if (value.is_number() || value.is_boolean()) text += fmt::format("  {}: {}", key, value.dump());
  }
  return text;
}

Outcome one(Context& context, const std::string& id) {
  const auto reading = act::read_journal(context.host, id);
  if (!reading) {
    if (!is_missing(reading.error())) return failed(exits::kUnreadable, reading.error().message);
    return failed(exits::kUsage,
                  fmt::format("no cutover {} is recorded; gpu-interlock history lists them", printable(id)));
  }
  Outcome outcome;
  outcome.json = summary_json(*reading);
  outcome.json["torn"] = reading->torn;
  outcome.json["records"] = nlohmann::json::array();
  outcome.text = fmt::format("{}: {}, {}\n", id, printable(reading->name()), result_of(*reading));
  std::map<int, std::string> steps;  // of the plan that is under way
  for (const JournalRecord& record : reading->records) {
    if (auto planned = steps_of(record); !planned.empty()) steps = std::move(planned);
    outcome.json["records"].push_back({{"kind", record.kind}, {"body", record.body}});
    outcome.text += "  " + record_text(record) + announced(record, steps) + "\n";
  }
  if (reading->torn) outcome.text += "  its last record is not whole: what it announced did not happen\n";
  if (!reading->damage.empty()) outcome.text += "  damaged: " + printable(reading->damage) + "\n";
  return outcome;
}

}  // namespace

void add_history(CLI::App& app, Action& action) {
  auto* command = app.add_subcommand("history", "Every cutover that was run here, or the record of one");
  const auto id = std::make_shared<std::string>();
  command->add_option("ID", *id, "A cutover's id, as the list shows it");
  at_length(*command,
            "Every step of a cutover is recorded before it is taken, with what was seen after it. The "
            "records are in "
            "/var/lib/gpu-interlock/cutovers.");
  command->callback([&action, id] {
    action = [id](Context& context) { return id->empty() ? all(context) : one(context, *id); };
  });
}

}  // namespace interlock::cli

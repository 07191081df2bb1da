#include <fmt/format.h>

#include <memory>

#include "base/text.h"
#include "cli/commands.h"
#include "cli/refusals.h"
#include "decide/finding_codes.h"

namespace interlock::cli {
namespace {

nlohmann::json code_json(const decide::FindingCode& code) {
  return {{"code", code.code},
          {"severity", to_string(code.severity)},
          {"summary", code.summary},
          {"page", code.page}};
}

nlohmann::json refusal_json(const Refusal& refusal) {
  return {{"code", refusal.code}, {"meaning", refusal.meaning}};
}

Outcome all(const Style& style) {
  Outcome outcome;
  outcome.json["codes"] = nlohmann::json::array();
  outcome.json["refusals"] = nlohmann::json::array();
  std::vector<std::vector<Cell>> rows;
  for (const auto& code : decide::finding_codes()) {
    outcome.json["codes"].push_back(code_json(code));
    rows.push_back({{std::string(code.code), style.bold(code.code)},
                    std::string(to_string(code.severity)),
                    std::string(code.summary)});
  }
  outcome.text = "Findings of the audit:\n" + table(rows, "  ") + "\nWhy a cutover is refused:\n";
  for (const Refusal& refusal : refusals()) {
    outcome.json["refusals"].push_back(refusal_json(refusal));
    outcome.text += fmt::format("  {}\n", style.bold(refusal.code));
  }
  return outcome;
}

Outcome unknown(const std::string& name) {
  return failed(exits::kUsage,
                fmt::format("there is no finding and no refusal {}; gpu-interlock explain lists "
                            "them",
                            printable(name)));
}

/// Some codes are both: a finding of the audit, and a reason to refuse a cutover.
Outcome explain(const Style& style, const std::string& name) {
  if (name.empty()) return all(style);
  const auto* code = decide::find_code(name);
  const auto* refusal = find_refusal(name);
  if (code == nullptr && refusal == nullptr) return unknown(name);
  Outcome outcome;
  if (code != nullptr) {
    outcome.json = code_json(*code);
    outcome.text = fmt::format("{} ({}): {}\n\n{}", style.bold(code->code), to_string(code->severity),
                               code->summary, filled(code->page));
  }
  if (refusal == nullptr) return outcome;
  outcome.json.update(refusal_json(*refusal));
  const std::string because = fmt::format("A cutover is refused because of it. {}", refusal->meaning);
  outcome.text += code != nullptr ? "\n" + filled(because)
                                  : fmt::format("{} (refusal of a cutover)\n\n{}", style.bold(refusal->code),
                                                filled(refusal->meaning));
  return outcome;
}

}  // namespace

void add_explain(CLI::App& app, Action& action) {
  auto* command = app.add_subcommand(
      "explain", "What a finding of the audit or a refusal of a cutover means, and what to do");
  const auto name = std::make_shared<std::string>();
  command->add_option("CODE", *name, "Its code; without one, all are listed");
  at_length(*command, "The same pages are in gpu-interlock-findings(7).");
  command->callback(
      [&action, name] { action = [name](Context& context) { return explain(context.style, *name); }; });
}

}  // namespace interlock::cli

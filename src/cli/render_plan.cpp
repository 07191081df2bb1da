#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "cli/changes.h"
#include "cli/planning.h"
#include "cli/render.h"
#include "model/plan_json.h"

namespace interlock::cli {
namespace {

std::string changes_text(const std::vector<Change>& found, const Style& style) {
  std::vector<std::vector<Cell>> rows;
  for (const Change& change : found) {
    rows.push_back({{"~", style.warn("~")},
                    change.what.empty() ? change.subject : change.subject + ", " + change.what,
                    change.from,
                    {"->", style.dim("->")},
                    change.to});
  }
  return table(rows, "  ");
}

std::string steps_text(const std::vector<Step>& steps) {
  std::vector<std::vector<Cell>> rows;
  for (const Step& step : steps) {
    rows.push_back({fmt::format("{:>2}", step.id), std::string(to_string(step.kind)), printable(step.text)});
  }
  return table(rows, "  ");
}

std::string proof_text(const Proof& proof, const Style& style) {
  if (proof.holds()) {
    return fmt::format(
        "{} in each of {} on the way, after a power cut and boot in each of them ({}), no card can be "
        "held twice; {} checked.\n",
        style.good("Proven safe:"), counted(static_cast<std::size_t>(proof.states), "state"), proof.boots,
        counted(static_cast<std::size_t>(proof.ways_back), "way") + " back");
  }
  std::string text = style.bad("Not proven safe, so it is never run:") + "\n";
  for (const std::string& breach : proof.breaches) text += fmt::format("  {}\n", printable(breach));
  return text;
}

}  // namespace

nlohmann::json unmet_json(const std::vector<Unmet>& unmet) {
  auto json = nlohmann::json::array();
  for (const Unmet& one : unmet) {
    json.push_back(
        {{"code", one.code}, {"subject", one.subject}, {"message", one.message}, {"remedy", one.remedy}});
  }
  return json;
}

std::string unmet_text(const std::vector<Unmet>& unmet, const Style& style) {
  std::string text;
  for (const Unmet& one : unmet) {
    text +=
        fmt::format("  {} {}: {}\n", style.bad(one.code), style.bold(one.subject), printable(one.message));
    if (!one.remedy.empty()) text += fmt::format("    {} {}\n", style.dim("->"), printable(one.remedy));
  }
  return text;
}

nlohmann::json plan_json(const Planned& planned) {
  const auto& [state, policy, plan, proof, unmet] = planned;
  nlohmann::json json = {{"name", plan.target.name},
                         {"steps", nlohmann::json::array()},
                         {"changes", nlohmann::json::array()},
                         {"unmet", unmet_json(unmet)},
                         {"proof",
                          {{"states", proof.states},
                           {"boots", proof.boots},
                           {"ways_back", proof.ways_back},
                           {"holds", proof.holds()},
                           {"breaches", proof.breaches}}}};
  for (const Step& step : plan.steps) json["steps"].push_back(to_json(step));
  for (const Change& change : changes(state, policy, plan)) {
    json["changes"].push_back(
        {{"subject", change.subject}, {"what", change.what}, {"from", change.from}, {"to", change.to}});
  }
  return json;
}

std::string plan_text(const Planned& planned, const Style& style) {
  const auto& [state, policy, plan, proof, unmet] = planned;
  const std::string name = style.bold(printable(plan.target.name));
  std::string text;
  if (std::ranges::find(unmet, "no-plan", &Unmet::code) != unmet.end()) {
    text = fmt::format("{} has no plan from here.\n", name);
  } else if (plan.empty()) {
    text = fmt::format("{} is as the host is now: nothing to do.\n", name);
  } else {
    text = fmt::format("{} would change:\n", name) + changes_text(changes(state, policy, plan), style);
    text += fmt::format("\nin {}:\n", counted(plan.steps.size(), "step")) + steps_text(plan.steps);
    text += "\n" + proof_text(proof, style);
  }
  if (!unmet.empty()) {
    text += fmt::format("\n{} {}:\n", style.bad("It would be refused now:"),
                        unmet.size() == 1 ? "a condition does not hold" : "these conditions do not hold");
    text += unmet_text(unmet, style);
  }
  return text;
}

}  // namespace interlock::cli

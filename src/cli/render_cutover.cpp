#include <fmt/format.h>

#include "base/text.h"
#include "cli/render.h"
#include "model/plan_json.h"

namespace interlock::cli {

std::string step_text(const act::StepReport& report, const Style& style) {
  const std::string mark = report.done ? style.good("done  ") : style.bad("failed");
  std::string line = fmt::format("  {:>2}{} {} {}", report.step.id, report.back ? " back" : "", mark,
                                 printable(report.step.text));
  if (!report.done && !report.seen.empty()) line += ": " + printable(report.seen);
  const std::string took = duration_text(report.took);
  if (report.took >= std::chrono::seconds(1)) line += style.dim(fmt::format(" ({})", took));
  return line + "\n";
}

std::string cutover_text(const act::CutoverReport& report, const std::string& name, const Style& style) {
  using act::CutoverResult;
  const std::string shown = style.bold(printable(name));
  std::string text;
  switch (report.result) {
    case CutoverResult::done:
      text = fmt::format("{} {}.\n", shown, style.good("is done"));
      break;
    case CutoverResult::unchanged:
      text = fmt::format("{} is as the host is now: nothing was touched.\n", shown);
      break;
    case CutoverResult::refused:
      text = fmt::format("{} {}\n", shown, style.bad("is refused; nothing was touched:"));
      break;
    case CutoverResult::rolled_back:
      text = fmt::format("{} {} The host is as it was before.\n", shown,
                         style.bad("failed, and is rolled back."));
      break;
    case CutoverResult::held:
      text = fmt::format("{} {}\n", shown,
                         style.bad("failed, and is held where nothing is unsafe. It needs you:"));
      break;
    case CutoverResult::busy:
      text =
          fmt::format("{} is not begun: another cutover is at work. gpu-interlock status shows it.\n", shown);
      break;
    case CutoverResult::error:
      text = fmt::format("{} could not be decided; nothing was touched.\n", shown);
      break;
  }
  text += unmet_text(report.unmet, style);
  for (const std::string& message : report.messages) text += fmt::format("  {}\n", printable(message));
  if (!report.id.empty())
    text += style.dim(fmt::format("Its journal: gpu-interlock history {}", report.id)) + "\n";
  return text;
}

nlohmann::json cutover_json(const act::CutoverReport& report) {
  nlohmann::json json = {{"result", act::to_string(report.result)},
                         {"id", nullptr},
                         {"steps", nlohmann::json::array()},
                         {"unmet", unmet_json(report.unmet)},
                         {"messages", report.messages}};
  if (!report.id.empty()) json["id"] = report.id;
  for (const act::StepReport& step : report.steps) {
    nlohmann::json one = to_json(step.step);
    one["back"] = step.back;
    one["done"] = step.done;
    one["seen"] = step.seen;
    one["took_ms"] = std::chrono::duration_cast<std::chrono::milliseconds>(step.took).count();
    json["steps"].push_back(std::move(one));
  }
  return json;
}

}  // namespace interlock::cli

#include "cli/cutover_outcome.h"

#include <ostream>

#include "base/text.h"
#include "cli/render.h"

namespace interlock::cli {

act::Progress live_progress(Context& context) {
  if (!context.live) return [](const act::StepReport&) {};
  return [&context](const act::StepReport& report) {
    const bool begins = !report.done && report.seen.empty();
    if (context.terminal) *context.out << "\r\x1b[2K";  // the line of a step under way is written over
    if (!begins) *context.out << step_text(report, context.style);
    if (begins && context.terminal) *context.out << context.style.dim("  ... " + printable(report.step.text));
    context.out->flush();
  };
}

Outcome outcome_of(const act::CutoverReport& report, const std::string& name, const Context& context) {
  Outcome outcome;
  outcome.exit = act::exit_code(report.result);
  outcome.json = cutover_json(report);
  if (!context.live) {
    for (const act::StepReport& step : report.steps) outcome.text += step_text(step, context.style);
  }
  outcome.text += cutover_text(report, name, context.style);
  if (!report.error.empty()) outcome.failures.push_back({report.error});
  return outcome;
}

}  // namespace interlock::cli

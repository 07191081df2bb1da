#include "cli/cutover_outcome.h"

#include <ostream>

#include "base/text.h"
#include "cli/render.h"

namespace interlock::cli {

act::Progress live_progress(Context& context) {
  if (context.live == nullptr) return [](const act::StepReport&) {};
  return [&context](const act::StepReport& report) {
    const bool begins = !report.done && report.seen.empty();
    // The line of a step under way is written over when it is over.
    *context.live << "\r\x1b[2K"
                  << (begins ? "     " + context.style.dim("...    " + printable(report.step.text))
                             : step_text(report, context.style))
                  << std::flush;
  };
}

Outcome outcome_of(const act::CutoverReport& report, const std::string& name, const Context& context) {
  Outcome outcome;
  outcome.exit = act::exit_code(report.result);
  outcome.json = cutover_json(report);
  if (context.live == nullptr) {
    for (const act::StepReport& step : report.steps) outcome.text += step_text(step, context.style);
  }
  outcome.text += cutover_text(report, name, context.style);
  if (!report.error.empty()) outcome.failures.push_back({report.error});
  return outcome;
}

}  // namespace interlock::cli

#include "cli/follow.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <ostream>

#include "act/cutover_unit.h"
#include "base/text.h"
#include "host/paths.h"

namespace interlock::cli {
namespace {

constexpr Duration kPause = std::chrono::milliseconds(300);

/// What a person or a script would have got from it directly.
Outcome ended(const act::UnitLook& look, const std::string& cutover, bool json, std::size_t told) {
  Outcome outcome;
  outcome.exit = look.exit;
  if (json) {
    auto parsed = nlohmann::json::parse(look.output, nullptr, false);
    if (!parsed.is_object()) {
      return failed(
          exits::kUnreadable,
          fmt::format("the cutover's unit ended without an answer; gpu-interlock history and journalctl -u "
                      "gpu-interlock-cutover@{} show how far it came",
                      cutover));
    }
    outcome.json = std::move(parsed);  // it has the errors too
    return outcome;
  }
  outcome.text = look.output.substr(std::min(told, look.output.size()));
  for (const auto line : lines_of(look.errors)) outcome.failures.push_back({std::string(line)});
  return outcome;
}

}  // namespace

Outcome run_and_follow(Context& context, const std::string& cutover, std::vector<std::string> options) {
  const auto busy = context.host.is_locked(paths::kCutoverLock);
  if (!busy) return failed(exits::kUnreadable, busy.error().message);
  if (*busy)
    return failed(exits::kBusy,
                  "another cutover is at work, and there is one at a time: gpu-interlock status shows it");
  options.push_back(context.globals.json ? "--json" : "--progress");
  if (!context.globals.policy.empty()) {
    options.push_back("--policy");
    options.push_back(std::filesystem::absolute(context.globals.policy).string());
  }
  if (const auto started = act::start_cutover_unit(context.host, cutover, options); !started) {
    return failed(exits::kUnreadable, fmt::format("{} was not begun: {}", cutover, started.error().message));
  }
  std::size_t told = 0;
  for (;;) {
    const auto look = act::look_at_cutover_unit(context.host, cutover);
    if (!look) {
      return failed(exits::kUnreadable,
                    fmt::format("{} cannot be followed any more: {}. It goes on by itself: "
                                "gpu-interlock status",
                                cutover, look.error().message));
    }
    if (look->over) return ended(*look, cutover, context.globals.json, told);
    if (!context.globals.json && look->output.size() > told) {
      *context.out << look->output.substr(told) << std::flush;
      told = look->output.size();
    }
    context.host.wait(kPause);
  }
}

}  // namespace interlock::cli

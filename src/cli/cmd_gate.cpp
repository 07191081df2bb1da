#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "act/gate_file.h"
#include "act/gate_install.h"
#include "base/text.h"
#include "cli/commands.h"
#include "cli/render.h"
#include "host/paths.h"
#include "observe/gate_places.h"

namespace interlock::cli {
namespace {

struct AllowCall {
  std::string vmid;
  bool once = false;
  std::string reason;
};

Outcome status(Context& context) {
  Outcome outcome;
  outcome.json["places"] = nlohmann::json::array();
  std::vector<std::vector<Cell>> rows = {{"STARTS", "GATE", "FILE"}};
  bool complete = true;
  for (const observe::GatePlace& place : observe::gate_places(context.host)) {
    complete = complete && place.installed == Truth::yes;
    outcome.json["places"].push_back(
        {{"path", place.path}, {"starts", place.starts}, {"installed", truth_json(place.installed)}});
    const std::string word = place.installed == Truth::yes  ? "in the way"
                             : place.installed == Truth::no ? "missing"
                                                            : "cannot tell: " + place.why;
    rows.push_back({place.starts, word, place.path});
  }
  outcome.json["installed"] = complete;
  outcome.text = table(rows);
  if (!complete) outcome.text += "To put it in the way of every start: gpu-interlock gate install\n";
  return outcome;
}

Outcome changed(Context& context, Result<void> (*change)(Host&)) {
  if (const auto done = change(context.host); !done)
    return failed(exits::kHeld,
                  fmt::format("{}. gpu-interlock gate status shows where the gate is", done.error().message));
  return status(context);
}

Outcome allow(Context& context, const AllowCall& call) {
  const auto vmid = Vmid::parse(call.vmid);
  if (!vmid)
    return failed(exits::kUsage,
                  fmt::format("{} is no container number; one looks like 120", printable(call.vmid)));
  if (!call.once || trimmed(call.reason).empty()) {
    return failed(exits::kUsage,
                  "the gate is opened for one start and with a reason: give --once --reason TEXT");
  }
  const auto boot = context.host.read_file(paths::kBootId);
  if (!boot) return failed(exits::kUnreadable, boot.error().message);
  const Allowance allowance{*vmid, call.reason, std::string(trimmed(*boot)), context.host.now()};
  if (const auto given = act::give_allowance(context.host, allowance); !given) {
    return failed(exits::kUnreadable, given.error().message);
  }
  Outcome outcome;
  outcome.json = {{"vmid", vmid->number()}, {"reason", call.reason}};
  outcome.text = fmt::format(
      "Container {} may start once within 2 minutes, unless another container has its card by then. "
      "The reason is recorded.\n",
      vmid->text());
  return outcome;
}

}  // namespace

void add_gate(CLI::App& app, Action& action) {
  auto* command =
      app.add_subcommand("gate", "What refuses to start a container whose card belongs to another");
  command->require_subcommand(1);
  at_length(*command,
            "gpu-interlock-gate(8) says what it decides, and by what. The Debian package installs it.");
  command->add_subcommand("install", "Put the gate in the way of every start")->callback([&action] {
    action = [](Context& context) { return changed(context, act::install_gate); };
  });
  command->add_subcommand("remove", "Take the gate out again")->callback([&action] {
    action = [](Context& context) { return changed(context, act::remove_gate); };
  });
  command->add_subcommand("status", "Whether every start comes by the gate")->callback([&action] {
    action = status;
  });
  const auto call = std::make_shared<AllowCall>();
  auto* opening =
      command->add_subcommand("allow", "Let one container start once, although its card is not its own");
  opening->add_option("VMID", call->vmid, "The container")->required();
  opening->add_flag("--once", call->once, "For one start, within 2 minutes");
  opening->add_option("--reason", call->reason, "Why; it is recorded")->type_name("TEXT");
  at_length(*opening, "It never opens against a container that runs with the card, or is starting with it.");
  opening->callback([&action, call] { action = [call](Context& context) { return allow(context, *call); }; });
}

}  // namespace interlock::cli

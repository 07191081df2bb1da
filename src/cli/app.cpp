#include "cli/app.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>

namespace interlock::cli {
namespace {

constexpr const char* kAbout =
    "Host safety and cutover controller for GPU containers on Proxmox VE: guards every card's temperature, "
    "moves cards between containers as one transaction, and says who really uses each card.";

std::string footer() {
  std::string text = "A cutover's name alone means `cutover NAME`.\nExit codes:\n";
  for (const auto& [code, meaning] : exits::meanings()) text += fmt::format("  {}  {}\n", code, meaning);
  return text;
}

std::vector<std::string> command_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) {
    names.push_back(command->get_name());
  }
  return names;
}

Outcome told(const std::string& key, std::string text) {
  Outcome outcome;
  outcome.json[key] = text;
  outcome.text = std::move(text);
  return outcome;
}

/// "gpu-interlock policy init": as far as the arguments could be followed.
std::string followed(const CLI::App& app) {
  const auto chosen = app.get_subcommands();
  return chosen.empty() ? app.get_name() : app.get_name() + " " + followed(*chosen.back());
}

bool takes_a_value(const std::string& argument) {
  return argument == "--policy" || argument == "--root";
}

}  // namespace

std::vector<std::string> with_cutover_spelt_out(std::vector<std::string> arguments,
                                                const std::vector<std::string>& commands) {
  for (auto at = arguments.begin(); at != arguments.end(); ++at) {
    if (takes_a_value(*at)) {
      if (++at == arguments.end()) break;
      continue;
    }
    if (at->starts_with("-")) continue;
    if (std::ranges::find(commands, *at) == commands.end()) arguments.insert(at, "cutover");
    break;
  }
  return arguments;
}

void at_length(CLI::App& command, std::string_view prose) {
  command.footer(filled(prose));
}

std::unique_ptr<CLI::App> command_line(Request& request) {
  auto made = std::make_unique<CLI::App>(kAbout, "gpu-interlock");
  CLI::App& app = *made;
  app.require_subcommand(1);
  app.fallthrough();
  app.set_version_flag("--version", INTERLOCK_VERSION, "Show the version");
  app.set_help_flag("-h,--help", "Show this help");
  app.add_option("--policy", request.globals.policy,
                 "The policy to use instead of /etc/gpu-interlock/policy.yaml")
      ->type_name("FILE");
  app.add_option(
         "--root", request.globals.root,
         "A folder that stands for the host: put before every path that is read, written or executed. "
         "Also: GPU_INTERLOCK_ROOT")
      ->type_name("DIR");
  app.add_flag("--json", request.globals.json, "Print one JSON object instead of text");

  add_status(app, request.action);
  add_watch(app, request.action);
  add_audit(app, request.action);
  add_explain(app, request.action);
  add_plan(app, request.action);
  add_cutover(app, request.action);
  add_recover(app, request.action);
  add_history(app, request.action);
  add_reset(app, request.action);
  add_shed(app, request.action);
  add_drill(app, request.action);
  add_sensors(app, request.action);
  add_snapshot(app, request.action);
  add_policy(app, request.action);
  add_ledger(app, request.action);
  add_gate(app, request.action);
  add_names(app, request.action);
  app.footer(footer());  // last: commands would inherit it
  return made;
}

Request parse_command_line(std::vector<std::string> arguments, const std::string& root) {
  Request request;
  request.globals.root = root.empty() ? "/" : root;
  // A usage error must be one JSON object too, also where the parse ends before it comes to --json.
  request.globals.json = std::ranges::find(arguments, "--json") != arguments.end();
  const auto made = command_line(request);
  CLI::App& app = *made;

  arguments = with_cutover_spelt_out(std::move(arguments), command_names(app));
  std::ranges::reverse(arguments);  // as CLI11 takes them
  try {
    app.parse(arguments);
    while (request.globals.root.size() > 1 && request.globals.root.ends_with('/'))
      request.globals.root.pop_back();
  } catch (const CLI::CallForHelp&) {
    request.action = {};
    request.early = told("help", app.help());
  } catch (const CLI::CallForVersion& version) {
    request.action = {};
    request.early = told("version", fmt::format("gpu-interlock {}\n", INTERLOCK_VERSION));
  } catch (const CLI::ParseError& error) {
    request.action = {};
    request.early = failed(exits::kUsage, fmt::format("{} (see {} --help)", error.what(), followed(app)));
  }
  return request;
}

}  // namespace interlock::cli

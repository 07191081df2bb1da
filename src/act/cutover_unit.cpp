#include "act/cutover_unit.h"

#include <fmt/format.h>

#include "base/text.h"
#include "host/paths.h"

namespace interlock::act {
namespace {

// As the unit names them. One set is enough: the cutover lock lets only one run.
constexpr const char* kOptions = "/run/gpu-interlock/cutover.options";
constexpr const char* kOutput = "/run/gpu-interlock/cutover.out";
constexpr const char* kErrors = "/run/gpu-interlock/cutover.err";
constexpr Duration kDeadline = std::chrono::seconds(30);

std::string unit_of(const std::string& cutover) {
  return fmt::format("gpu-interlock-cutover@{}.service", cutover);
}

Result<CommandEnd> systemctl(Host& host, const std::vector<std::string>& words) {
  Command command{.argv = {paths::kSystemctl}, .input = {}, .deadline = kDeadline};
  command.argv.insert(command.argv.end(), words.begin(), words.end());
  CommandEnd end = TRY(host.run(command));
  if (!end.success()) return fail("systemctl {}: {}", words.front(), end.text());
  return end;
}

Result<std::string> text_of(Host& host, const char* path) {
  auto text = host.read_file(path);
  if (!text && is_missing(text.error())) return std::string();  // not written yet
  return text;
}

/// A word for systemd's EnvironmentFile= and its splitting of $OPTIONS (systemd.exec(5), systemd.service(5)).
bool plain(const std::string& word) {
  return !word.empty() && word.find_first_of(" \t\n\"'\\$%;`") == std::string::npos;
}

}  // namespace

Result<void> start_cutover_unit(Host& host, const std::string& cutover,
                                const std::vector<std::string>& options) {
  for (const std::string& option : options) {
    if (!plain(option))
      return fail("{} cannot be given to a unit; run it with --foreground", printable(option));
  }
  TRY(host.make_folder(paths::kRun, 0755));
  TRY(host.replace_file(kOptions, fmt::format("GPU_INTERLOCK_OPTIONS={}\n", joined(options, " ")), 0644,
                        Durability::plain));
  for (const char* path : {kOutput, kErrors}) {
    auto removed = host.remove_file(path);  // of an earlier one
    if (!removed && !is_missing(removed.error())) return removed;
  }
  TRY(systemctl(host, {"start", "--no-block", "--", unit_of(cutover)}));
  return {};
}

Result<UnitLook> look_at_cutover_unit(Host& host, const std::string& cutover) {
  // First whether it is over: what it wrote is whole then.
  const CommandEnd end = TRY(systemctl(
      host, {"show", "--property=ActiveState,Job,ExecMainStatus,ExecMainCode", "--", unit_of(cutover)}));
  UnitLook look;
  bool at_rest = false;
  bool queued = false;
  bool by_signal = false;
  for (const auto line : lines_of(end.output)) {
    const auto value = line.substr(line.find('=') + 1);
    if (line.starts_with("ActiveState=")) at_rest = value == "inactive" || value == "failed";
    if (line.starts_with("Job=")) queued = !value.empty() && value != "0";
    if (line.starts_with("ExecMainCode="))
      by_signal = value == "2" || value == "3";  // CLD_KILLED, CLD_DUMPED
    if (line.starts_with("ExecMainStatus=")) {
      const auto status = parse_number<int>(value);
      if (!status) return fail("systemctl says of {} \"{}\"", unit_of(cutover), printable(line));
      look.exit = *status;
    }
  }
  look.over = at_rest && !queued;
  if (look.over && by_signal)
    return fail("{} was killed: gpu-interlock recover finishes it", unit_of(cutover));
  look.output = TRY(text_of(host, kOutput));
  look.errors = TRY(text_of(host, kErrors));
  return look;
}

}  // namespace interlock::act

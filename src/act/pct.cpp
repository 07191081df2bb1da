#include "act/pct.h"

#include <chrono>

#include "base/text.h"
#include "host/paths.h"
#include "pve/pct_output.h"

namespace interlock::act {
namespace {

// `pct shutdown --timeout N` polls once more for N + 5 s after its stop failed, and takes a second to begin
// (pct.md, 1.7 and 1.0).
constexpr Duration kBeyondPatience = std::chrono::seconds(15);

std::string whole_seconds(Duration duration) {
  return std::to_string(std::chrono::ceil<std::chrono::seconds>(duration).count());
}

}  // namespace

Result<CommandEnd> Pct::run(std::vector<std::string> arguments, Duration deadline, std::string input) {
  std::vector<std::string> argv{paths::kPct};
  argv.insert(argv.end(), std::make_move_iterator(arguments.begin()),
              std::make_move_iterator(arguments.end()));
  return host_.run(Command{.argv = std::move(argv), .input = std::move(input), .deadline = deadline});
}

Result<CommandEnd> Pct::set(Vmid vmid, const Settings& settings, const std::string& digest,
                            Duration deadline) {
  std::vector<std::string> arguments{"set", vmid.text()};
  std::vector<std::string> deleted;
  for (const auto& [key, value] : settings) {
    if (!value) {
      deleted.push_back(key);
      continue;
    }
    arguments.push_back("--" + key);
    arguments.push_back(*value);
  }
  if (!deleted.empty()) {
    arguments.emplace_back("--delete");
    arguments.push_back(joined(deleted, ","));
  }
  if (!digest.empty()) {
    arguments.emplace_back("--digest");
    arguments.push_back(digest);
  }
  return run(std::move(arguments), deadline);
}

Result<CommandEnd> Pct::start(Vmid vmid, Duration deadline) {
  return run({"start", vmid.text()}, deadline);
}

Result<CommandEnd> Pct::stop(Vmid vmid, Duration deadline) {
  return run({"stop", vmid.text()}, deadline);
}

Result<CommandEnd> Pct::shut_down(Vmid vmid, Duration patience) {
  auto call = run({"shutdown", vmid.text(), "--timeout", whole_seconds(patience), "--forceStop", "1"},
                  2 * patience + kBeyondPatience);
  const auto sockets = host_.read_file(paths::kUnixSockets);
  const auto running = sockets ? pve::parse_running(*sockets) : std::unexpected(sockets.error());
  if (running && !running->contains(vmid)) return call;
  return stop(vmid, patience);
}

Result<CommandEnd> Pct::execute(Vmid vmid, const std::vector<std::string>& argv, Duration deadline) {
  return execute(vmid, argv, {}, deadline);
}

Result<CommandEnd> Pct::execute(Vmid vmid, const std::vector<std::string>& argv, const std::string& input,
                                Duration deadline) {
  std::vector<std::string> arguments{"exec", vmid.text(), "--"};
  arguments.insert(arguments.end(), argv.begin(), argv.end());
  return run(std::move(arguments), deadline, input);
}

Result<CommandEnd> Pct::systemctl(Vmid vmid, const std::vector<std::string>& arguments, Duration deadline) {
  std::vector<std::string> argv{"systemctl"};
  argv.insert(argv.end(), arguments.begin(), arguments.end());
  return execute(vmid, argv, deadline);
}

std::string hint_of(const Result<CommandEnd>& call) {
  return call ? call->text() : call.error().message;
}

std::string key_of_line(std::string_view line) {
  const auto colon = line.find(':');
  if (colon == std::string_view::npos || line.starts_with("lxc.")) return {};
  return std::string(trimmed(line.substr(0, colon)));
}

std::string value_of_line(std::string_view line) {
  const auto colon = line.find(':');
  return colon == std::string_view::npos ? std::string() : std::string(trimmed(line.substr(colon + 1)));
}

}  // namespace interlock::act

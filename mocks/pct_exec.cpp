// exec and push, and the few programs that a container of the mock has.
#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "mocks/pct_parts.h"

namespace interlock::mocks::verbs {
namespace {

constexpr Duration kForEver = std::chrono::hours(24);

bool is_running(const Machine& machine, int vmid) {
  const Container* container = machine.model.container(vmid);
  return container != nullptr && container->running();
}

std::optional<int> port_of(std::string_view url) {
  const auto scheme = url.find("://");
  if (scheme == std::string_view::npos) return std::nullopt;
  url.remove_prefix(scheme + 3);
  url = url.substr(0, url.find('/'));
  const auto colon = url.rfind(':');
  return colon == std::string_view::npos ? 80 : parse_number<int>(url.substr(colon + 1));
}

CommandEnd curl(const Container& container, const std::string& url) {
  const auto port = port_of(url);
  if (!port) return failed(3, "curl: (3) URL using bad/illegal format or missing URL\n");
  for (const Unit& unit : container.units) {
    const bool up = unit.active == "active" || unit.sub == "start";
    if (unit.port != *port || !up) continue;
    if (unit.loaded) return done("{\"status\":\"ok\"}");
    return failed(22, "curl: (22) The requested URL returned error: 503\n");
  }
  return failed(
      7,
      fmt::format("curl: (7) Failed to connect to 127.0.0.1 port {} after 0 ms: Couldn't connect to server\n",
                  *port));
}

/// The last argument that is no option.
std::string operand(const std::vector<std::string>& argv) {
  const auto found = std::find_if(argv.rbegin(), argv.rend() - 1,
                                  [](const std::string& it) { return !it.starts_with('-'); });
  return found == argv.rend() - 1 ? std::string{} : *found;
}

CommandEnd cat(const Container& container, const std::string& path) {
  const auto file = container.files.find(path);
  if (file == container.files.end())
    return failed(1, fmt::format("cat: {}: No such file or directory\n", path));
  return done(file->second);
}

}  // namespace

CommandEnd guest_command(Machine& machine, int vmid, const std::vector<std::string>& argv,
                         const std::string& input) {
  Container& container = *machine.model.container(vmid);
  const std::string program = argv.front().substr(argv.front().rfind('/') + 1);
  if (const auto known = container.commands.find(joined(argv, " ")); known != container.commands.end()) {
    return failed(known->second.code, known->second.errors, known->second.output);
  }
  if (program == "systemctl") return systemctl(machine, vmid, {argv.begin() + 1, argv.end()});
  if (program == "true") return done();
  if (program == "test" && argv.size() == 3) {
    return container.files.contains(argv[2]) ? done() : failed(1, {});
  }
  if (program == "cat") return cat(container, operand(argv));
  if (program == "curl") return curl(container, operand(argv));
  if (program == "tee") {
    container.files[operand(argv)] = input;
    return done(input);
  }
  if (program == "mkdir" || program == "chmod" || program == "chown") return done();
  if (program == "mv" && argv.size() >= 3) {
    auto node = container.files.extract(argv[argv.size() - 2]);
    if (node.empty())
      return failed(1,
                    fmt::format("mv: cannot stat '{}': No such file or directory\n", argv[argv.size() - 2]));
    container.files[argv.back()] = std::move(node.mapped());
    return done();
  }
  if (program == "rm") {
    container.files.erase(operand(argv));
    return done();
  }
  return failed(
      127, fmt::format("lxc-attach: {}: ../src/lxc/attach.c: lxc_attach_run_command: 1841 No such file or "
                       "directory - Failed to exec \"{}\"\n",
                       vmid, argv.front()));
}

CommandEnd execute(Machine& machine, int vmid, const std::vector<std::string>& words,
                   const std::string& input) {
  std::vector<std::string> argv;
  bool options_over = false;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (options_over || !words[i].starts_with('-')) {
      argv.push_back(words[i]);
    } else if (words[i] == "--") {
      options_over = true;
    } else if (words[i] == "--keep-env" || words[i] == "-keep-env") {
      ++i;
    } else if (!words[i].starts_with("--keep-env=")) {
      const std::string_view name = std::string_view(words[i]).substr(words[i].starts_with("--") ? 2 : 1);
      return failed(2, fmt::format("Unknown option: {}\n400 unable to parse option\n"
                                   "pct exec <vmid> [<extra-args>] [OPTIONS]\n",
                                   name));
    }
  }
  if (argv.empty()) return failed(255, "missing command at /usr/share/perl5/PVE/CLI/pct.pm line 248.\n");
  if (!is_running(machine, vmid)) return failed(255, fmt::format("container '{}' not running!\n", vmid));
  if (is_frozen(machine.model, fmt::format("/lxc/{}/ns", vmid))) {
    const std::string inside = fmt::format("/lxc/{}/ns", vmid);
    static_cast<void>(machine.wait_until([&] { return !is_frozen(machine.model, inside); },
                                         kForEver));  // hangs till thawed
  }
  if (!is_running(machine, vmid))
    return failed(1, fmt::format("lxc-attach: {}: Failed to get init pid\n", vmid));
  return guest_command(machine, vmid, argv, input);
}

CommandEnd push(Machine& machine, int vmid, const std::vector<std::string>& words) {
  Arguments arguments;
  if (const auto option = parse_arguments(words, {{"user"}, {"group"}, {"perms"}}, arguments)) {
    return failed(
        2, fmt::format("Unknown option: {}\n400 unable to parse option\npct push <vmid> <file> <destination> "
                       "[OPTIONS]\n",
                       *option));
  }
  if (arguments.positional.size() != 2) {
    return failed(2, "400 not enough arguments\npct push <vmid> <file> <destination> [OPTIONS]\n");
  }
  if (!is_running(machine, vmid)) return failed(255, "can only push files to running VM\n");
  const auto text = machine.host_file(arguments.positional[0]);
  if (!text)
    return failed(2, fmt::format("failed to open '{}' for reading: No such file or directory\n",
                                 arguments.positional[0]));
  machine.model.container(vmid)->files[arguments.positional[1]] = *text;
  return done();
}

}  // namespace interlock::mocks::verbs

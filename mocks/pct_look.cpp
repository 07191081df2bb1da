// status, list, config, pending.
#include <fmt/format.h>

#include <set>

#include "base/text.h"
#include "mocks/pct_parts.h"

namespace interlock::mocks::verbs {
namespace {

std::string value_of(const Section& section, const std::string& key, std::string otherwise) {
  const auto found = section.keys.find(key);
  return found == section.keys.end() ? std::move(otherwise) : found->second;
}

std::string warnings_of(int vmid, const Config& config) {
  std::string text;
  for (const std::string& line : config.warnings) {
    text += fmt::format("vm {} - unable to parse config: {}\n", vmid, line);
  }
  return text;
}

std::string_view word(bool running) {
  return running ? "running" : "stopped";
}

std::set<std::string> deleted_keys(const Section& pending) {
  std::set<std::string> keys;
  const auto found = pending.keys.find("delete");
  if (found == pending.keys.end()) return keys;
  for (const std::string_view key : split(found->second, ',')) keys.emplace(trimmed(key));
  return keys;
}

std::string shown(const Section& section) {
  std::map<std::string, std::string> keys = section.keys;
  if (section.description) keys["description"] = encoded(*section.description);
  std::string text;
  for (const auto& [key, value] : keys) text += fmt::format("{}: {}\n", key, value);
  for (const auto& [key, value] : section.raw) text += fmt::format("{}: {}\n", key, value);
  return text;
}

}  // namespace

CommandEnd status(Machine& machine, int vmid, const std::vector<std::string>& words) {
  Arguments arguments;
  if (const auto option = parse_arguments(words, {{"verbose", true}}, arguments)) {
    return failed(2,
                  fmt::format("Unknown option: {}\n400 unable to parse option\npct status <vmid> [OPTIONS]\n",
                              *option));
  }
  const Container* container = machine.model.container(vmid);
  const bool running = container != nullptr && container->running();
  if (!arguments.flag("verbose")) return done(fmt::format("status: {}\n", word(running)));
  const auto config = parsed(*machine.model.config(vmid));
  const Section& main = config->main;
  const auto mib = [&](const std::string& key, std::string otherwise) {
    const auto value = parse_number<std::uint64_t>(value_of(main, key, std::move(otherwise)));
    return value ? *value * kMiB : Bytes{512} * kMiB;
  };
  std::string text =
      fmt::format("cpus: {}\ndisk: 0\ndiskread: 0\ndiskwrite: 0\n", value_of(main, "cores", "1"));
  if (const std::string lock = lock_of(machine, vmid); !lock.empty()) text += fmt::format("lock: {}\n", lock);
  text += fmt::format(
      "maxdisk: 34359738368\nmaxmem: {}\nmaxswap: {}\nmem: 0\nname: {}\nnetin: 0\nnetout: 0\n",
      mib("memory", "512"), mib("swap", "0"), value_of(main, "hostname", fmt::format("CT{}", vmid)));
  if (running) {
    for (const Process& process : machine.model.processes) {
      if (process.cgroup == fmt::format("/lxc/{}/ns/init.scope", vmid))
        text += fmt::format("pid: {}\n", process.pid);
    }
  }
  return done(text + fmt::format("status: {}\nswap: 0\ntype: lxc\nuptime: {}\nvmid: {}\n", word(running),
                                 running ? 60 : 0, vmid));
}

CommandEnd list(Machine& machine) {
  std::string rows;
  for (const Container& container : machine.model.containers) {
    const std::string* text = machine.model.config(container.vmid);
    if (text == nullptr) continue;
    rows += fmt::format("{:<10} {:<10} {:<12} {:<20}\n", container.vmid, word(container.running()),
                        lock_of(machine, container.vmid),
                        value_of(parsed(*text)->main, "hostname", fmt::format("CT{}", container.vmid)));
  }
  if (rows.empty()) return done();
  return done(fmt::format("{:<10} {:<10} {:<12} {:<20}\n", "VMID", "Status", "Lock", "Name") + rows);
}

CommandEnd config(Machine& machine, int vmid, const std::vector<std::string>& words) {
  Arguments arguments;
  if (const auto option = parse_arguments(words, {{"current", true}, {"snapshot", false}}, arguments)) {
    return failed(2,
                  fmt::format("Unknown option: {}\n400 unable to parse option\npct config <vmid> [OPTIONS]\n",
                              *option));
  }
  const auto config = parsed(*machine.model.config(vmid));
  const std::string warnings = warnings_of(vmid, *config);
  if (const std::string* wanted = arguments.option("snapshot")) {
    for (const Section& snapshot : config->snapshots) {
      if (snapshot.name == *wanted) return done(shown(snapshot), warnings);
    }
    return failed(255, fmt::format("snapshot '{}' does not exist\n", *wanted));
  }
  return done(shown(arguments.flag("current") ? config->main : with_pending(*config).main), warnings);
}

CommandEnd pending(Machine& machine, int vmid) {
  const auto config = parsed(*machine.model.config(vmid));
  const std::set<std::string> deleted = deleted_keys(config->pending);
  std::set<std::string> keys;
  for (const auto& entry : config->main.keys) keys.insert(entry.first);
  for (const auto& entry : config->pending.keys) keys.insert(entry.first);
  keys.erase("delete");
  std::string text;
  for (const std::string& key : keys) {
    const auto now = config->main.keys.find(key);
    const auto next = config->pending.keys.find(key);
    if (now != config->main.keys.end()) {
      text += fmt::format("{} {}: {}\n", deleted.contains(key) ? "del" : "cur", key, now->second);
    }
    if (next != config->pending.keys.end()) text += fmt::format("new {}: {}\n", key, next->second);
  }
  return done(text, warnings_of(vmid, *config));
}

}  // namespace interlock::mocks::verbs

// set and unlock: what is applied at once, what is pending, and what fails after the file was written
// (pct.md, 1.4, 2).
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/digest.h"
#include "base/text.h"
#include "mocks/grants.h"
#include "mocks/pct_parts.h"

namespace interlock::mocks::verbs {
namespace {

constexpr std::array kBooleans = {"onboot", "template", "protection", "console", "debug"};
constexpr std::array kLocks = {"backup",  "create",  "destroyed", "disk",     "fstrim",
                               "migrate", "mounted", "rollback",  "snapshot", "snapshot-delete"};
/// Taken over by a running container at once.
constexpr std::array kImmediate = {"description", "onboot",      "startup",  "protection", "hostname",
                                   "hookscript",  "cores",       "tags",     "lock",       "memory",
                                   "swap",        "cpulimit",    "cpuunits", "timezone",   "debug",
                                   "nameserver",  "searchdomain"};
constexpr std::array kOthers = {"arch",     "cmode", "console",      "features",   "ostype", "rootfs",
                                "template", "tty",   "unprivileged", "entrypoint", "env"};
constexpr std::array kRequired = {"memory", "rootfs", "ostype"};

template <class List>
bool one_of(const List& list, std::string_view key) {
  return std::ranges::any_of(list, [&](std::string_view it) { return it == key; });
}

bool numbered(std::string_view key, std::string_view prefix) {
  return key.starts_with(prefix) && parse_number<std::uint8_t>(key.substr(prefix.size())).has_value();
}

bool is_known(std::string_view key) {
  return one_of(kImmediate, key) || one_of(kOthers, key) || numbered(key, "dev") || numbered(key, "mp") ||
         numbered(key, "net") || numbered(key, "unused");
}

struct Wish {
  std::vector<std::pair<std::string, std::string>> set;
  std::vector<std::string> remove;
  std::vector<std::string> revert;
  std::optional<std::string> digest;
};

void add_list(std::vector<std::string>& list, std::string_view text) {
  for (const std::string_view key : split(text, ',')) list.emplace_back(trimmed(key));
}

/// The option that a word names or, if that is unambiguous, abbreviates.
std::string whole_name(std::string name) {
  if (is_known(name)) return name;
  std::vector<std::string> matches;
  const auto look_in = [&](const auto& list) {
    for (const std::string_view key : list) {
      if (key.starts_with(name)) matches.emplace_back(key);
    }
  };
  look_in(kImmediate);
  look_in(kOthers);
  look_in(std::array{"delete", "revert", "digest"});
  return matches.size() == 1 ? matches.front() : name;
}

/// The option that is not known.
std::optional<std::string> read_wish(const std::vector<std::string>& words, Wish& wish) {
  for (std::size_t i = 0; i < words.size(); ++i) {
    std::string_view word = words[i];
    if (!word.starts_with('-')) return std::string(word);
    word.remove_prefix(word.starts_with("--") ? 2 : 1);
    const auto sign = word.find('=');
    const std::string name = whole_name(std::string(word.substr(0, sign)));
    std::string value = "1";
    if (sign != std::string_view::npos) {
      value = word.substr(sign + 1);
    } else if (i + 1 < words.size() && !words[i + 1].starts_with("--")) {
      value = words[++i];
    } else if (!one_of(kBooleans, name)) {
      return name;
    }
    if (name == "delete") {
      add_list(wish.remove, value);
    } else if (name == "revert") {
      add_list(wish.revert, value);
    } else if (name == "digest") {
      wish.digest = value;
    } else if (is_known(name)) {
      wish.set.emplace_back(name, value);
    } else {
      return name;
    }
  }
  return std::nullopt;
}

std::optional<std::string> boolean(const std::string& value) {
  for (const std::string_view yes : {"1", "on", "yes", "true"}) {
    if (value == yes) return "1";
  }
  for (const std::string_view no : {"0", "off", "no", "false"}) {
    if (value == no) return "0";
  }
  return std::nullopt;
}

/// Normalises a value; what is wrong with it, if anything is.
std::optional<std::string> check_value(const std::string& key, std::string& value) {
  if (one_of(kBooleans, key)) {
    const auto normal = boolean(value);
    if (!normal) return fmt::format("type check ('boolean') failed - got '{}'", value);
    value = *normal;
  }
  const bool integer =
      key == "cores" || key == "memory" || key == "swap" || key == "cpuunits" || key == "tty";
  if (integer) {
    const auto number = parse_number<std::int64_t>(value);
    if (!number) return fmt::format("type check ('integer') failed - got '{}'", value);
    const std::int64_t least = key == "cores" ? 1 : key == "memory" ? 16 : 0;
    if (*number < least) return fmt::format("value must have a minimum value of {}", least);
    if (key == "cores" && *number > 8192) return "value must have a maximum value of 8192";
  }
  if (key == "lock" && !one_of(kLocks, value)) {
    return fmt::format("value '{}' does not have a value in the enumeration", value);
  }
  if (is_device_key(key) && !device_path(value).starts_with("/dev/")) {
    return "invalid format - path: invalid format - invalid device path";
  }
  return std::nullopt;
}

void drop_from_delete(Section& pending, const std::string& key) {
  const auto found = pending.keys.find("delete");
  if (found == pending.keys.end()) return;
  std::vector<std::string> left;
  for (const std::string_view name : split(found->second, ',')) {
    if (name != key) left.emplace_back(name);
  }
  if (left.empty()) {
    pending.keys.erase(found);
  } else {
    found->second = joined(left, ",");
  }
}

void add_to_delete(Section& pending, const std::string& key) {
  drop_from_delete(pending, key);
  std::string& list = pending.keys["delete"];
  list += list.empty() ? key : "," + key;
}

class Edit {
 public:
  Edit(Machine& machine, int vmid, Config config)
      : machine_(machine), vmid_(vmid), config_(std::move(config)) {}

  std::optional<CommandEnd> remove(const std::string& key) {
    if (one_of(kRequired, key))
      return failed(255, fmt::format("unable to delete required option '{}'\n", key));
    if (!is_known(key)) return bad_value("set", "delete", fmt::format("unknown option '{}'", key));
    if (key == "lock") return failed(255, "unable to delete 'lock', use pct unlock\n");
    const bool in_main = config_.main.keys.contains(key);
    if (!in_main && config_.pending.keys.erase(key) == 0) {
      said_ += fmt::format("cannot delete '{}' - not set in current configuration!\n", key);
    } else if (in_main && running() && waits(key)) {
      config_.pending.keys.erase(key);
      add_to_delete(config_.pending, key);
    } else {
      config_.main.keys.erase(key);
      config_.pending.keys.erase(key);
      drop_from_delete(config_.pending, key);
    }
    return std::nullopt;
  }

  std::optional<CommandEnd> set(const std::string& key, const std::string& value) {
    if (key == "unprivileged") return failed(255, "unable to modify read-only option: 'unprivileged'\n");
    const auto old = config_.main.keys.find(key);
    const bool is_new = old == config_.main.keys.end();
    drop_from_delete(config_.pending, key);
    if (running() && waits(key) && !(is_new && hotplugs(key))) {
      if (!is_new && old->second == value) {
        config_.pending.keys.erase(key);
      } else {
        config_.pending.keys[key] = value;
      }
      return std::nullopt;
    }
    if (running() && is_device_key(key)) {
      for (const DeviceNode& node : nodes_of_device(machine_.model, value)) plugged_.push_back(node.pci);
    }
    config_.pending.keys.erase(key);
    if (key == "description") {
      config_.main.description = value + "\n";
    } else {
      config_.main.keys[key] = value;
    }
    return std::nullopt;
  }

  void revert(const std::string& key) {
    config_.pending.keys.erase(key);
    drop_from_delete(config_.pending, key);
  }

  CommandEnd write() {
    machine_.store(machine_.model.config_path(vmid_), print(config_), 0640);
    if (Container* container = machine_.model.container(vmid_)) {
      container->live.insert(plugged_.begin(), plugged_.end());
    }
    if (const auto why = machine_.regenerate(vmid_))
      return failed(2, said_ + *why + "\n");  // the file has changed
    return done({}, said_);
  }

 private:
  bool running() const {
    const Container* container = machine_.model.container(vmid_);
    return container != nullptr && container->running();
  }
  static bool waits(const std::string& key) { return !one_of(kImmediate, key) && !numbered(key, "net"); }
  bool hotplugs(const std::string& key) const {
    return numbered(key, "mp") || (numbered(key, "dev") && machine_.model.proxmox >= 9);
  }

  Machine& machine_;
  int vmid_;
  Config config_;
  std::string said_;
  std::vector<std::string> plugged_;
};

CommandEnd set_locked(Machine& machine, int vmid, Wish& wish) {
  if (const std::string lock = lock_of(machine, vmid); !lock.empty()) {
    return failed(255, fmt::format("CT is locked ({})\n", lock));
  }
  const std::string& text = *machine.model.config(vmid);
  if (wish.digest && *wish.digest != sha1_hex(text)) {
    return failed(255, "detected modified configuration - file changed by other user? Try again.\n");
  }
  for (const auto& [key, value] : wish.set) {
    const std::string path = device_path(value);
    if (is_device_key(key) && path.starts_with("/dev/dri") && nodes_of_device(machine.model, value).empty()) {
      return bad_value("set", key, fmt::format("Device {} does not exist", path));
    }
  }
  if (!machine.model.quorate) {
    return failed(13, fmt::format("unable to open file '{}.tmp.{}' - Permission denied\n",
                                  machine.model.config_path(vmid), machine.model.next_pid));
  }
  Edit edit(machine, vmid, *parsed(text));
  for (const std::string& key : wish.revert) edit.revert(key);
  for (const std::string& key : wish.remove) {
    if (auto refused = edit.remove(key)) return *refused;
  }
  for (const auto& [key, value] : wish.set) {
    if (auto refused = edit.set(key, value)) return *refused;
  }
  return edit.write();
}

}  // namespace

CommandEnd set(Machine& machine, int vmid, const std::vector<std::string>& words) {
  Wish wish;
  if (const auto option = read_wish(words, wish)) {
    return failed(2, fmt::format("Unknown option: {}\n400 unable to parse option\npct set <vmid> [OPTIONS]\n",
                                 *option));
  }
  for (auto& [key, value] : wish.set) {
    if (const auto why = check_value(key, value)) return bad_value("set", key, *why);
  }
  if (wish.set.empty() && wish.remove.empty() && wish.revert.empty())
    return failed(255, "no options specified\n");
  const std::string lock = lock_path(vmid);
  if (!machine.take_lock(lock, std::chrono::seconds(10))) {
    return failed(4, fmt::format("trying to acquire lock...\ncan't lock file '{}' - got timeout\n", lock));
  }
  CommandEnd end = set_locked(machine, vmid, wish);
  machine.release_lock(lock);
  return end;
}

CommandEnd unlock(Machine& machine, int vmid) {
  Config config = *parsed(*machine.model.config(vmid));
  if (config.main.keys.erase("lock") == 0) return failed(255, "no lock found trying to remove any lock\n");
  machine.store(machine.model.config_path(vmid), print(config), 0640);
  return done();
}

}  // namespace interlock::mocks::verbs

// mock-host set: pokes one thing of a host.
#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <csignal>

#include "base/text.h"
#include "mocks/program.h"

namespace interlock::mocks {
namespace {

using Words = std::vector<std::string>;

Result<bool> yes_or_no(const std::string& word) {
  if (word == "yes" || word == "1" || word == "on") return true;
  if (word == "no" || word == "0" || word == "off") return false;
  return fail("'{}' is neither yes nor no", word);
}

/// Degrees with at most three decimals, as millidegrees.
Result<std::int64_t> millidegrees(const std::string& word) {
  const auto dot = word.find('.');
  const auto whole = parse_number<std::int64_t>(std::string_view(word).substr(0, dot));
  std::string fraction = dot == std::string::npos ? "" : word.substr(dot + 1);
  fraction.resize(3, '0');
  const auto rest = parse_number<std::int64_t>(fraction);
  if (!whole || !rest) return fail("'{}' is no temperature in degrees", word);
  return *whole * 1000 + *rest;
}

/// Folds what has passed into the values, so that a new one starts from now.
void fix_temperatures(Folder& folder, Card& card) {
  const Temperatures now = temperatures(folder.model, card);
  card.edge = now.edge;
  card.junction = now.junction;
  card.memory_temp = now.memory;
  card.since = folder.model.now;
}

/// The file that a sensor's text stands in: "junction" is temp2_input.
Result<std::string> sensor_file(const Card& card, const std::string& word) {
  const std::string base = fmt::format("/sys/devices/pci0000:00/{}/", card.pci);
  const std::string hwmon = fmt::format("{}hwmon/hwmon{}/", base, card.hwmon);
  if (word == "edge") return hwmon + "temp1_input";
  if (word == "junction") return hwmon + "temp2_input";
  if (word == "memory") return hwmon + "temp3_input";
  if (word == "hwmon") return base + "hwmon";
  return fail("a card has no sensor '{}': edge, junction, memory, hwmon", word);
}

Result<void> set_sensor(Folder& folder, const Card& card, const Words& words) {
  if (words.size() < 4)
    return fail("say which sensor, and what it shall give: text TEXT, missing, error or normal");
  const std::string path = TRY(sensor_file(card, words[3]));
  const std::string what = words.size() > 4 ? words[4] : "";
  if (what == "normal") {
    folder.model.overrides.erase(path);
  } else if (what == "missing") {
    folder.model.overrides[path] = {.error = ENOENT, .text = {}, .hangs = false};
  } else if (what == "error") {
    folder.model.overrides[path] = {.error = EIO, .text = {}, .hangs = false};
  } else if (what == "text" && words.size() > 5) {
    folder.model.overrides[path] = {.error = 0, .text = words[5] + "\n", .hangs = false};
  } else {
    return fail("a sensor gives text TEXT, missing, error or normal");
  }
  return {};
}

Result<void> set_card(Folder& folder, const Words& words) {
  if (words.size() < 4) return fail("set card CARD WHAT VALUE");
  Card* card = folder.model.card(words[1]);
  if (card == nullptr) return fail("there is no card {}", words[1]);
  const std::string& what = words[2];
  const std::string& value = words[3];
  fix_temperatures(folder, *card);
  if (what == "edge") {
    card->edge = TRY(millidegrees(value));
  } else if (what == "junction") {
    card->junction = TRY(millidegrees(value));
  } else if (what == "memory") {
    card->memory_temp = TRY(millidegrees(value));
  } else if (what == "heating") {
    card->heating = TRY(millidegrees(value));
  } else if (what == "cooling") {
    card->cooling = TRY(millidegrees(value));
  } else if (what == "sensor") {
    return set_sensor(folder, *card, words);
  } else if (what == "present") {
    card->present = TRY(yes_or_no(value));
  } else if (what == "off-the-bus") {
    card->off_the_bus = TRY(yes_or_no(value));
  } else if (what == "by-path") {
    card->by_path = TRY(yes_or_no(value));
  } else if (what == "energy-stuck") {
    card->energy_stuck = TRY(yes_or_no(value));
  } else if (what == "driver") {
    card->driver = value == "none" ? "" : value;
  } else if (what == "runtime") {
    card->runtime = value;
  } else if (what == "unique-id") {
    card->unique_id = value;
  } else {
    return fail("a card has no '{}'", what);
  }
  return {};
}

Result<Stop> stop_word(const std::string& word) {
  if (word == "obeys") return Stop::obeys;
  if (word == "ignores-term") return Stop::ignores_term;
  if (word == "leaves-worker") return Stop::leaves_worker;
  if (word == "never-answers") return Stop::never_answers;
  if (word == "unkillable") return Stop::unkillable;
  return fail("a unit cannot take a stop as '{}'", word);
}

Result<void> set_unit_state(Folder& folder, int vmid, Unit& unit, const std::string& state) {
  if (state == "active") {
    folder.start_unit(vmid, unit);
  } else if (state == "inactive") {
    folder.stop_unit(vmid, unit);
  } else if (state == "killed") {
    folder.kill_cgroup(unit_cgroup(vmid, unit.name));
  } else if (state == "failed") {
    unit.restart = Restart::no;
    folder.kill_cgroup(unit_cgroup(vmid, unit.name));
  } else {
    unit.file = state;  // enabled, disabled, masked, static, ...
  }
  return {};
}

Result<void> set_unit(Folder& folder, const Words& words) {
  if (words.size() < 3)
    return fail("set unit VMID/UNIT STATE, or set unit VMID/UNIT stop|restart|cards|load VALUE");
  const auto slash = words[1].find('/');
  const auto vmid = parse_number<int>(std::string_view(words[1]).substr(0, slash));
  Unit* unit = vmid && slash != std::string::npos ? folder.unit(*vmid, words[1].substr(slash + 1)) : nullptr;
  if (unit == nullptr) return fail("there is no unit {}", words[1]);
  if (words.size() == 3) return set_unit_state(folder, *vmid, *unit, words[2]);
  const std::string& value = words[3];
  const auto number = parse_number<int>(value);
  if (words[2] == "stop") {
    unit->stop = TRY(stop_word(value));
    for (Process& process : folder.model.processes) {
      if (process.cgroup == unit_cgroup(*vmid, unit->name))
        process.unkillable = unit->stop == Stop::unkillable;
    }
  } else if (words[2] == "restart") {
    unit->restart = value == "no" ? Restart::no : value == "always" ? Restart::always : Restart::on_failure;
  } else if (words[2] == "cards" && number) {
    unit->cards = *number;
  } else if (words[2] == "load-ms" && number) {
    unit->load_time = std::chrono::milliseconds(*number);
  } else if (words[2] == "dies-after-ms" && number) {
    unit->dies_after = std::chrono::milliseconds(*number);
  } else {
    return fail("a unit has no '{}' that could be {}", words[2], value);
  }
  return {};
}

Result<void> set_container(Folder& folder, const Words& words) {
  const auto vmid = words.size() < 3 ? std::nullopt : parse_number<int>(words[1]);
  Container* container = vmid ? folder.model.container(*vmid) : nullptr;
  if (container == nullptr)
    return fail("set container VMID running|stopped, or obeys-shutdown|starts yes|no");
  if (words[2] == "running") {
    if (container->running()) return {};
    if (const auto why = folder.start_container(*vmid, true))
      return fail("container {} does not start: {}", *vmid, *why);
  } else if (words[2] == "stopped") {
    folder.kill_container(*vmid);
  } else if (words[2] == "reboots") {
    folder.reboot_itself(*vmid);
  } else if (words[2] == "rolled-back" && words.size() > 3) {
    if (!folder.roll_back(*vmid, words[3])) return fail("container {} has no snapshot {}", *vmid, words[3]);
  } else if (words[2] == "cloned" && words.size() > 3 && parse_number<int>(words[3])) {
    folder.clone(*vmid, *parse_number<int>(words[3]));
  } else if (words[2] == "backed-up") {
    folder.back_up(*vmid);
  } else if (words[2] == "obeys-shutdown" && words.size() > 3) {
    container->obeys_shutdown = TRY(yes_or_no(words[3]));
  } else if (words[2] == "starts" && words.size() > 3) {
    container->starts = TRY(yes_or_no(words[3]));
  } else {
    return fail("a container cannot be '{}'", words[2]);
  }
  return {};
}

/// "120:/etc/llamacpp-qwen38fn.env" and its text, or `absent`.
Result<void> set_file(Folder& folder, const Words& words) {
  const auto colon = words.size() < 3 ? std::string::npos : words[1].find(':');
  const auto vmid = colon == std::string::npos
                        ? std::nullopt
                        : parse_number<int>(std::string_view(words[1]).substr(0, colon));
  Container* container = vmid ? folder.model.container(*vmid) : nullptr;
  if (container == nullptr) return fail("set file VMID:/PATH TEXT|absent");
  const std::string path = words[1].substr(colon + 1);
  if (words[2] == "absent") {
    container->files.erase(path);
  } else {
    container->files[path] = words[2] + "\n";
  }
  return {};
}

Result<void> set_command(Folder& folder, const Words& words) {
  const auto vmid = words.size() < 4 ? std::nullopt : parse_number<int>(words[1]);
  const auto code = words.size() < 4 ? std::nullopt : parse_number<int>(words[3]);
  Container* container = vmid ? folder.model.container(*vmid) : nullptr;
  if (container == nullptr || !code) return fail("set command VMID 'COMMAND AND ARGUMENTS' CODE [OUTPUT]");
  container->commands[words[2]] = {
      .code = *code, .output = words.size() > 4 ? words[4] + "\n" : "", .errors = {}};
  return {};
}

}  // namespace

Result<void> set_thing(Folder& folder, const std::vector<std::string>& words) {
  const std::string thing = words.empty() ? "" : words.front();
  if (thing == "card") return set_card(folder, words);
  if (thing == "unit") return set_unit(folder, words);
  if (thing == "container") return set_container(folder, words);
  if (thing == "file") return set_file(folder, words);
  if (thing == "command") return set_command(folder, words);
  if (thing == "proxmox" && words.size() > 1) {
    const auto version = parse_number<int>(words[1]);
    if (!version || *version < 8 || *version > 9)
      return fail("Proxmox VE {} is not mocked: 8 or 9", words[1]);
    folder.model.proxmox = *version;
    return {};
  }
  return fail("set knows no '{}'\n{}", thing, set_help());
}

std::string set_help() {
  return "card CARD edge|junction|memory DEGREES           a temperature\n"
         "card CARD heating|cooling DEGREES                 a second, under load and without\n"
         "card CARD sensor edge|junction|memory|hwmon missing|error|normal|text TEXT\n"
         "card CARD present|off-the-bus|by-path|energy-stuck yes|no\n"
         "card CARD driver amdgpu|vfio-pci|none\n"
         "card CARD runtime active|suspended                power/runtime_status\n"
         "card CARD unique-id TEXT\n"
         "unit VMID/UNIT active|inactive|killed|failed|enabled|disabled|masked|...\n"
         "unit VMID/UNIT stop obeys|ignores-term|leaves-worker|never-answers|unkillable\n"
         "unit VMID/UNIT restart no|on-failure|always\n"
         "unit VMID/UNIT cards|load-ms|dies-after-ms NUMBER\n"
         "container VMID running|stopped\n"
         "container VMID reboots|backed-up|rolled-back SNAPSHOT|cloned VMID\n"
         "container VMID obeys-shutdown|starts yes|no\n"
         "file VMID:/PATH TEXT|absent                       inside the container\n"
         "command VMID 'COMMAND' CODE [OUTPUT]              inside the container\n"
         "proxmox 8|9\n";
}

}  // namespace interlock::mocks

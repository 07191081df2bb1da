#include "policy/watchdog.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <functional>

#include "base/text.h"

namespace interlock {
namespace {

constexpr std::int64_t kHottest = 130;         // C: what the policy takes
constexpr std::int64_t kLongestPoll = 10'000;  // ms, and the shortest
constexpr std::int64_t kShortestPoll = 50;

class Reading {
 public:
  Reading(const Assignment& from, std::vector<Remark>& remarks) : from_(from), remarks_(remarks) {}
  const std::string& text() const { return from_.value; }
  int line() const { return from_.line; }
  void remark(const std::string& sentence) const {
    remarks_.push_back({fmt::format("{}: {}", from_.key, sentence), from_.line});
  }

 private:
  const Assignment& from_;
  std::vector<Remark>& remarks_;
};

std::string lower(std::string_view text) {
  std::string result(text);
  std::ranges::transform(result, result.begin(),
                         [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return result;
}

/// Also "03:00.0", as lspci shows it.
std::optional<PciAddress> address(std::string_view text, const Reading& from) {
  if (auto whole = PciAddress::parse(text)) return whole;
  if (auto completed = PciAddress::parse("0000:" + std::string(text))) {
    from.remark(fmt::format("'{}' has no domain; {} is taken", printable(text), completed->text()));
    return completed;
  }
  from.remark(fmt::format("'{}' is no PCI address, and is left out", printable(text)));
  return std::nullopt;
}

template <class T>
void add_once(std::vector<T>& list, const T& value) {
  if (std::ranges::find(list, value) == list.end()) list.push_back(value);
}

void read_addresses(const Reading& from, Watchdog& watchdog) {
  std::string text = from.text();
  std::ranges::replace(text, ',', ' ');
  for (const std::string_view word : words(text)) {
    if (const auto card = address(word, from)) add_once(watchdog.cards, *card);
  }
}

std::optional<Celsius> degrees(const Reading& from) {
  const auto number = parse_number<std::int64_t>(trimmed(from.text()));
  if (!number) {
    from.remark(fmt::format("'{}' is no whole number of degrees, and is left out", printable(from.text())));
  } else if (*number < 1 || *number > kHottest) {
    from.remark(fmt::format("{} C is no limit for a card (1 to {} C), and is left out", *number, kHottest));
  } else {
    return Celsius::from_degrees(*number);
  }
  return std::nullopt;
}

/// "2", "0.5": as sleep(1) takes them. In milliseconds.
std::optional<std::int64_t> milliseconds(std::string_view text) {
  constexpr std::size_t kDigits = 3;
  const auto dot = text.find('.');
  const std::string_view whole = text.substr(0, dot);
  std::string part(dot == std::string_view::npos ? "" : text.substr(dot + 1));
  if (part.size() > kDigits || (whole.empty() && part.empty())) return std::nullopt;
  part.resize(kDigits, '0');
  const auto seconds = parse_number<std::int64_t>(whole.empty() ? "0" : whole);
  const auto rest = parse_number<std::uint16_t>(part);
  constexpr std::int64_t kMost = 1'000'000'000;
  if (!seconds || *seconds < 0 || *seconds > kMost || !rest) return std::nullopt;
  return *seconds * 1000 + *rest;
}

std::optional<Duration> poll(const Reading& from) {
  const auto given = milliseconds(trimmed(from.text()));
  if (!given) {
    from.remark(fmt::format("'{}' is no number of seconds, and is left out", printable(from.text())));
  } else if (*given < kShortestPoll || *given > kLongestPoll) {
    from.remark(
        fmt::format("{} s is left out: a card is looked at every 0.05 to 10 s", trimmed(from.text())));
  } else {
    return std::chrono::milliseconds(*given);
  }
  return std::nullopt;
}

std::optional<bool> yes_or_no(const Reading& from) {
  const std::string word = lower(trimmed(from.text()));
  for (const std::string_view yes : {"1", "yes", "true", "on"}) {
    if (word == yes) return true;
  }
  for (const std::string_view no : {"0", "no", "false", "off", ""}) {
    if (word == no) return false;
  }
  from.remark(fmt::format("'{}' is neither yes nor no, and is left out", printable(from.text())));
  return std::nullopt;
}

/// systemctl(1) completes a name without a suffix so, too.
std::optional<UnitName> service(std::string_view text) {
  auto unit = UnitName::parse(text);
  if (!unit) unit = UnitName::parse(std::string(text) + ".service");
  if (!unit || !unit->text().ends_with(".service") || unit->text().contains("@.")) return std::nullopt;
  return unit;
}

/// "0000:03:00.0=120:llamacpp.service"
void read_service(std::string_view entry, const Reading& from, Watchdog& watchdog) {
  const auto equals = entry.find('=');
  const auto colon = equals == std::string_view::npos ? equals : entry.find(':', equals);
  if (colon == std::string_view::npos) {
    return from.remark(fmt::format("'{}' is not PCI=VMID:service, and is left out", printable(entry)));
  }
  const auto card = address(trimmed(entry.substr(0, equals)), from);
  if (!card) return;
  add_once(watchdog.cards, *card);
  const std::string_view number = trimmed(entry.substr(equals + 1, colon - equals - 1));
  const std::string_view name = trimmed(entry.substr(colon + 1));
  const auto vmid = Vmid::parse(number);
  const auto unit = service(name);
  if (!vmid) from.remark(fmt::format("'{}' is no container's number, and is left out", printable(number)));
  if (!unit) from.remark(fmt::format("'{}' is no service, and is left out", printable(name)));
  if (!vmid || !unit) return;
  const auto same = [&](const ServiceOfCard& other) {
    return other.card == *card && other.vmid == *vmid && other.unit == *unit;
  };
  if (std::ranges::none_of(watchdog.services, same))
    watchdog.services.push_back({*card, *vmid, *unit, from.line()});
}

void read_map(const Reading& from, Watchdog& watchdog) {
  for (const std::string_view entry : split(from.text(), ',')) {
    if (!trimmed(entry).empty()) read_service(trimmed(entry), from, watchdog);
  }
}

struct Key {
  std::string_view name;
  std::function<void(const Reading&, Watchdog&)> read;
};

/// In the order in which they are read: the cards' own list goes before the map's.
const std::vector<Key>& keys() {
  static const std::vector<Key> all = {
      {"GPU_PCI_ADDRESS", read_addresses},
      {"GPU_SERVICE_MAP", read_map},
      {"TRIP_JUNCTION_C", [](const Reading& from, Watchdog& to) { to.trip_junction = degrees(from); }},
      {"TRIP_MEM_C", [](const Reading& from, Watchdog& to) { to.trip_memory = degrees(from); }},
      {"RESUME_C", [](const Reading& from, Watchdog& to) { to.resume = degrees(from); }},
      {"POLL_SECS", [](const Reading& from, Watchdog& to) { to.poll = poll(from); }},
      {"AUTO_RESUME", [](const Reading& from, Watchdog& to) { to.auto_resume = yes_or_no(from); }},
      {"WATCHDOG_ACTION", [](const Reading& from, Watchdog& to) {
         to.action = std::string(trimmed(from.text()));
         to.action_line = from.line();
       }}};
  return all;
}

}  // namespace

Watchdog read_watchdog(const EnvironmentFile& file, std::vector<Remark>& remarks) {
  Watchdog watchdog;
  for (const Key& key : keys()) {
    const auto found = std::ranges::find(file.assignments, key.name, &Assignment::key);
    if (found != file.assignments.end()) key.read(Reading(*found, remarks), watchdog);
  }
  for (const Assignment& assignment : file.assignments) {
    if (std::ranges::find(keys(), assignment.key, &Key::name) != keys().end()) continue;
    remarks.push_back(
        {fmt::format("{} is no key of the watchdog that is known here, and is left out", assignment.key),
         assignment.line});
  }
  return watchdog;
}

}  // namespace interlock

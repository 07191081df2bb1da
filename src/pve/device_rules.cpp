#include "pve/device_rules.h"

#include <algorithm>

#include "base/text.h"

namespace interlock::pve {
namespace {

/// At most three of r, w, m; what stands behind the third is not looked at, as in lxc.
std::optional<std::string> parse_access(std::string_view text) {
  text = text.substr(0, 3);
  if (text.empty() || text.find_first_not_of("rwm") != std::string_view::npos) return std::nullopt;
  return std::string(text);
}

/// "*" or a number.
bool take_number(std::string_view text, std::optional<unsigned>& number) {
  if (text == "*") return true;
  number = parse_number<unsigned>(text);
  return number.has_value();
}

bool matches(const DeviceRule& rule, DeviceNumber number, const NumberOf& number_of) {
  if (rule.type == 'b') return false;
  if (!rule.path.empty()) return number_of(rule.path) == number;
  return (!rule.major || *rule.major == number.major) && (!rule.minor || *rule.minor == number.minor);
}

bool same_devices(const DeviceRule& one, const DeviceRule& other) {
  return one.type == other.type && one.major == other.major && one.minor == other.minor &&
         one.path == other.path && one.access == other.access;
}

/// What lxc makes of the rules, of one version. It keeps a list: an "a" empties it and says what holds by
/// default; a rule of the very same devices and access turns an earlier one around; a rule that says what
/// holds anyway does nothing, so an allowed class with one number denied after it is still allowed whole.
bool list_permits(const std::vector<DeviceRule>& rules, bool version1, bool allow_first, DeviceNumber number,
                  const NumberOf& number_of) {
  bool allow_all = allow_first;
  std::vector<DeviceRule> list;
  for (const DeviceRule& rule : rules) {
    if (rule.version1 != version1) continue;
    if (rule.everything) {
      allow_all = rule.allow;
      list.clear();
      continue;
    }
    const auto earlier = std::ranges::find_if(
        list, [&](const DeviceRule& known) { return known.allow != allow_all && same_devices(known, rule); });
    if (earlier != list.end()) {
      earlier->allow = rule.allow;
    } else {
      list.push_back(rule);
    }
  }
  return allow_all != std::ranges::any_of(list, [&](const DeviceRule& rule) {
           if (rule.allow == allow_all || !matches(rule, number, number_of)) return false;
           const bool read = rule.access.contains('r');
           const bool write = rule.access.contains('w');
           // To open it either way is enough to use it; only one rule that denies both keeps it shut.
           return rule.allow ? read || write : read && write;
         });
}

}  // namespace

std::optional<DeviceRule> parse_device_rule(std::string_view value) {
  DeviceRule rule;
  if (value == "a") {
    rule.everything = true;
    return rule;
  }
  const auto fields = words(value);
  if (value.starts_with('/')) {
    const auto access = fields.size() < 2 ? std::nullopt : parse_access(fields[1]);
    if (!access) return std::nullopt;
    rule.type = 'c';
    rule.path = fields[0];
    rule.access = *access;
    return rule;
  }
  if (fields.size() < 3 || (fields[0] != "a" && fields[0] != "b" && fields[0] != "c")) return std::nullopt;
  rule.type = fields[0].front();
  const auto colon = fields[1].find(':');
  if (colon == std::string_view::npos) return std::nullopt;
  if (!take_number(fields[1].substr(0, colon), rule.major)) return std::nullopt;
  if (!take_number(fields[1].substr(colon + 1), rule.minor)) return std::nullopt;
  const auto access = parse_access(fields[2]);
  if (!access) return std::nullopt;
  rule.access = *access;
  return rule;
}

bool rules_permit(const std::vector<DeviceRule>& rules, bool allow_first, DeviceNumber number,
                  const NumberOf& number_of) {
  if (list_permits(rules, false, allow_first, number, number_of)) return true;
  const bool has_version1 = std::ranges::any_of(rules, &DeviceRule::version1);
  return has_version1 && list_permits(rules, true, allow_first, number, number_of);
}

}  // namespace interlock::pve

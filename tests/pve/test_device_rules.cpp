// Who may open a node: lxc's own reading of device rules (pct.md 6 F; lxc, cgroup2_devices.c).
#include "catch.h"
#include "pve/device_rules.h"

using namespace interlock::pve;

namespace {

std::optional<DeviceNumber> no_paths(const std::string&) {
  return std::nullopt;
}

/// "+c 226:* rwm" allows, "-..." denies; "1" before it: of version 1.
bool permits(const std::vector<std::string>& texts, bool allow_first, DeviceNumber number) {
  std::vector<DeviceRule> rules;
  for (std::string_view text : texts) {
    const bool version1 = text.starts_with('1');
    if (version1) text.remove_prefix(1);
    auto rule = parse_device_rule(text.substr(1));
    REQUIRE(rule);
    rule->allow = text.starts_with('+');
    rule->version1 = version1;
    rules.push_back(*rule);
  }
  return rules_permit(rules, allow_first, number, no_paths);
}

constexpr DeviceNumber kRender{226, 128};

}  // namespace

TEST_CASE("a privileged container may open only what a rule allows, an unprivileged one everything") {
  CHECK_FALSE(permits({}, false, kRender));
  CHECK(permits({}, true, kRender));
  CHECK(permits({"+c 226:128 rwm"}, false, kRender));
  CHECK(permits({"+c 226:* rw"}, false, kRender));
  CHECK(permits({"+c *:* rwm"}, false, kRender));
  CHECK(permits({"+a *:* rwm"}, false, kRender));
  CHECK_FALSE(permits({"+c 226:129 rwm"}, false, kRender));
  CHECK_FALSE(permits({"+b 226:128 rwm"}, false, kRender));
}

TEST_CASE("reading alone is enough to use a card; making the node is not") {
  CHECK(permits({"+c 226:128 r"}, false, kRender));
  CHECK(permits({"+c 226:128 w"}, false, kRender));
  CHECK_FALSE(permits({"+c 226:128 m"}, false, kRender));
}

TEST_CASE("an 'a' forgets what stood before it") {
  CHECK_FALSE(permits({"+c 226:128 rwm", "-a"}, false, kRender));
  CHECK(permits({"-c 226:128 rwm", "+a"}, false, kRender));
  CHECK(permits({"-a", "+c 226:128 rwm"}, true, kRender));
}

TEST_CASE("a deny inside an allowed class has no effect in lxc, so the card counts as usable") {
  CHECK(permits({"+c 226:* rwm", "-c 226:128 rwm"}, false, kRender));
}

TEST_CASE("a rule of the very same devices turns the earlier one around") {
  CHECK_FALSE(permits({"+c 226:128 rwm", "-c 226:128 rwm"}, false, kRender));
  CHECK(permits({"+c 226:128 rwm", "-c 226:128 rwm", "+c 226:128 rwm"}, false, kRender));
  CHECK(permits({"+c 226:128 rwm", "-c 226:128 rw"}, false, kRender));  // other access: not the same
}

TEST_CASE("where everything is allowed, only a rule against reading and writing keeps a node shut") {
  CHECK_FALSE(permits({"-c 226:128 rwm"}, true, kRender));
  CHECK_FALSE(permits({"-c 226:* rw"}, true, kRender));
  CHECK(permits({"-c 226:128 w"}, true, kRender));
  CHECK(permits({"-c 226:128 r", "-c 226:128 w"}, true, kRender));
}

TEST_CASE("rules of version 1 and 2 are two lists, and either is enough") {
  CHECK(permits({"1+c 226:128 rwm"}, false, kRender));
  CHECK(permits({"1+c 226:128 rwm", "-a"}, false, kRender));
  CHECK_FALSE(permits({"1+c 226:129 rwm"}, false, kRender));
  CHECK_FALSE(permits({"-c 226:128 rwm"}, true, kRender));
}

TEST_CASE("a rule's path has the number that the node has now (S07)") {
  auto rule = parse_device_rule("/dev/dri/renderD128 rw");
  REQUIRE(rule);
  CHECK(rule->path == "/dev/dri/renderD128");
  rule->allow = true;
  const auto moved = [](const std::string&) { return std::optional(DeviceNumber{226, 129}); };
  CHECK(rules_permit({*rule}, false, {226, 129}, moved));
  CHECK_FALSE(rules_permit({*rule}, false, kRender, moved));
  CHECK_FALSE(rules_permit({*rule}, false, kRender, no_paths));
}

TEST_CASE("what is not a rule is not taken for one") {
  CHECK_FALSE(parse_device_rule(""));
  CHECK_FALSE(parse_device_rule("c"));
  CHECK_FALSE(parse_device_rule("c 226:128"));
  CHECK_FALSE(parse_device_rule("c 226 rwm"));
  CHECK_FALSE(parse_device_rule("c 226:x rwm"));
  CHECK_FALSE(parse_device_rule("c -1:0 rwm"));
  CHECK_FALSE(parse_device_rule("d 226:128 rwm"));
  CHECK_FALSE(parse_device_rule("c 226:128 x"));
  CHECK_FALSE(parse_device_rule("/dev/dri/renderD128"));
  CHECK_FALSE(parse_device_rule("/dev/dri/renderD128 x"));
  CHECK_FALSE(parse_device_rule("226:128 rwm"));
  CHECK(parse_device_rule("c 226:128 rwm # a remark"));
  CHECK(parse_device_rule("a")->everything);
}

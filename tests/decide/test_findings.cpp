// The audit (design, section 7): each rule speaks when it must, and is silent when it may.
#include <algorithm>
#include <set>

#include "audit_cases.h"
#include "catch.h"
#include "decide/finding_codes.h"
#include "decide/findings.h"
#include "decide/plan.h"
#include "decide/proof.h"
#include "two_v620.h"

using namespace interlock;
using namespace interlock::decide;
using namespace interlock::two_v620;
using interlock::test::Host;

namespace {

const Finding* find(const Audit& audit, const std::string& code, const std::string& subject = "") {
  for (const Finding& finding : audit.findings) {
    if (finding.code == code && (subject.empty() || finding.subject == subject)) return &finding;
  }
  return nullptr;
}

std::string told(const Audit& audit) {
  std::string text;
  for (const Finding& finding : audit.findings) {
    text += std::string(to_string(finding.severity)) + " " + finding.code + " [" + finding.subject + "] " +
            finding.message + "\n";
  }
  for (const std::string& sentence : audit.unknown) text += "cannot tell: " + sentence + "\n";
  return text;
}

Audit audit_of(const Host& host) {
  return audit(host.state, host.policy);
}

bool has_violation(const Audit& audit) {
  return std::ranges::any_of(audit.findings,
                             [](const Finding& f) { return f.severity == Severity::violation; });
}

}  // namespace

TEST_CASE("a clean host is clean") {
  const Audit clean = audit_of(test::clean_host());
  INFO(told(clean));
  CHECK(clean.clean());
}

TEST_CASE("two-v620 at rest has no violation: its snapshot is advice, its wide device rules a warning") {
  Host host = test::clean_host();
  host.state.containers = normal().containers;
  host.state.container(k120)->may_make_nodes = host.state.container(k123)->may_make_nodes = true;
  const Audit seen = audit_of(host);
  INFO(told(seen));
  CHECK(seen.unknown.empty());
  CHECK_FALSE(has_violation(seen));
  REQUIRE(seen.findings.size() == 3);
  CHECK(seen.findings[0].code == "exclusivity-not-provable");
  CHECK(seen.findings[0].subject == "120");
  CHECK(seen.findings[1].code == "exclusivity-not-provable");
  CHECK(seen.findings[1].subject == "123");
  CHECK(seen.findings[2].code == "snapshot-latent-binding");
  CHECK(seen.findings[2].severity == Severity::advice);
  CHECK(seen.findings[2].message.find("gpu1") != std::string::npos);
}

TEST_CASE("after to-qwen38fn, with 123 stopped on purpose, the audit is clean (two-v620 failure 7)") {
  Host host = test::clean_host();
  Container& c120 = *host.state.container(k120);
  Container& c123 = *host.state.container(k123);
  c120.bindings.insert(c120.bindings.end(), c123.bindings.begin(), c123.bindings.end());
  c120.units = {unit(kQwen36, false), unit(kQwen38, true)};
  c123.bindings.clear();
  c123.running = RunState::stopped;
  c123.autostart = {};
  c123.units.clear();
  c123.units_answer = UnitsAnswer::not_running;
  host.state.cards[0].holders = {server(k120, kQwen38, kGpu1)};
  host.state.cards[1].holders = {server(k120, kQwen38, kGpu2)};
  host.state.ledger->at(kGpu2) = Owner::of(k120);
  const Audit seen = audit_of(host);
  INFO(told(seen));
  CHECK(seen.clean());
}

TEST_CASE("two-v620 at rest, forward by its plan and back again is told only what is true of it") {
  const auto walked = [](HostState state, const Target& target) {
    const Policy rules = policy();
    const auto plan = decide::plan(state, rules, target, "c1");
    REQUIRE(plan);
    for (const Step& step : plan->steps) state = after_step(state, rules, step);
    return state;
  };
  const auto serve = [](HostState& state, Vmid second, const UnitName& first_unit,
                        const UnitName& second_unit) {
    state.cards[0].holders = {server(k120, first_unit, kGpu1)};
    state.cards[1].holders = {server(second, second_unit, kGpu2)};
  };
  const auto codes = [](const HostState& state) {
    std::set<std::string> found;
    const Audit seen = audit(state, policy());
    INFO(told(seen));
    CHECK(seen.unknown.empty());
    for (const Finding& finding : seen.findings) found.insert(finding.code + " " + finding.subject);
    return found;
  };
  HostState rest = normal();
  rest.gate_gaps.emplace();
  CHECK(codes(rest) == std::set<std::string>{"snapshot-latent-binding 123"});

  HostState forward = walked(rest, to_qwen38fn());
  serve(forward, k120, kQwen38, kQwen38);
  forward.container(k123)->units_answer = UnitsAnswer::not_running;
  CHECK(codes(forward) == std::set<std::string>{"snapshot-latent-binding 123"});

  HostState back = walked(forward, to_qwen36());
  serve(back, k123, kQwen36, kQwen38);
  back.container(k123)->units_answer = UnitsAnswer::answered;
  CHECK(codes(back) == codes(rest));
}

TEST_CASE("each finding is given when it must be, with its severity and subject") {
  for (const auto& each : test::all_cases()) {
    Host host = test::clean_host();
    each.provoke(host);
    const Audit seen = audit_of(host);
    INFO(each.code << ": " << each.reason << "\n" << told(seen));
    const Finding* finding = find(seen, each.code, each.subject);
    REQUIRE(finding != nullptr);
    CHECK(finding->severity == each.severity);
    CHECK(finding->message.ends_with("."));
    CHECK(finding->remedy.size() > 10);
  }
}

TEST_CASE("each finding is not given when it must not be") {
  for (const auto& each : test::all_cases()) {
    Host host = test::clean_host();
    each.spare(host);
    const Audit seen = audit_of(host);
    INFO(each.code << ": " << each.reason << "\n" << told(seen));
    CHECK(find(seen, each.code) == nullptr);
  }
}

TEST_CASE("every code has a state that provokes it and one that does not, and no finding has another code") {
  std::set<std::string> covered;
  for (const auto& each : test::all_cases()) {
    INFO(each.code);
    CHECK(find_code(each.code) != nullptr);
    CHECK(each.provoke);
    CHECK(each.spare);
    covered.insert(each.code);
  }
  for (const FindingCode& code : finding_codes()) {
    INFO(code.code);
    CHECK(covered.contains(std::string(code.code)));
  }
}

TEST_CASE("no finding weighs more than its code's table says") {
  for (const auto& each : test::all_cases()) {
    Host host = test::clean_host();
    each.provoke(host);
    for (const Finding& finding : audit_of(host).findings) {
      const FindingCode* code = find_code(finding.code);
      INFO(finding.code);
      REQUIRE(code != nullptr);
      CHECK(finding.severity >= code->severity);  // violation comes first
    }
  }
}

TEST_CASE("violations come before warnings, warnings before advice") {
  Host host = test::clean_host();
  host.state.containers = normal().containers;  // advice
  host.state.container(k120)->may_make_nodes = true;
  host.state.guard.running = Truth::no;
  const Audit seen = audit_of(host);
  CHECK(std::ranges::is_sorted(seen.findings, {}, &Finding::severity));
  CHECK(seen.findings.front().code == "guard-not-running");
}

TEST_CASE("a double bound card names both containers and the card as the policy does (B04)") {
  Host host = test::clean_host();
  host.state.container(k121)->bindings = {host.state.container(k120)->bindings[0]};
  const Audit seen = audit_of(host);
  const Finding* finding = find(seen, "card-double-bound");
  REQUIRE(finding != nullptr);
  for (const char* word : {"gpu1", "120", "121"}) {
    INFO(finding->message);
    CHECK(finding->message.find(word) != std::string::npos);
  }
}

TEST_CASE("what the host could not show is said, and is not clean (design, section 7)") {
  const auto unknown_with = [](const std::function<void(Host&)>& change) {
    Host host = test::clean_host();
    change(host);
    const Audit seen = audit_of(host);
    INFO(told(seen));
    CHECK_FALSE(seen.clean());
    return seen.unknown;
  };
  CHECK(unknown_with([](Host& host) { host.state.cannot_tell = {"the file x could not be read"}; }) ==
        std::vector<std::string>{"the file x could not be read"});
  CHECK(unknown_with([](Host& host) { host.state.guard.running = Truth::unknown; }).size() == 1);
  CHECK(unknown_with([](Host& host) { host.state.gate_gaps.reset(); }).size() == 1);
  CHECK(unknown_with([](Host& host) {
          host.state.guard.verdicts.clear();
          host.state.cards[0].sample.reset();
        }).size() == 1);
  CHECK(unknown_with([](Host& host) { host.state.cards.erase(host.state.cards.begin()); }).size() == 1);
  // Units that were not answered for: 123 has one unit, 120 has two.
  CHECK(unknown_with([](Host& host) {
          host.state.container(k123)->units.clear();
          host.state.container(k123)->units_answer = UnitsAnswer::unanswered;
          host.state.container(k123)->units_error = "no answer within 30 s";
        })
            .front()
            .find("no answer within 30 s") != std::string::npos);
  CHECK(unknown_with([](Host& host) {
          host.state.container(k120)->units.clear();
          host.state.container(k120)->units_answer = UnitsAnswer::unanswered;
        }).size() == 1);
  CHECK_FALSE(
      unknown_with([](Host& host) { host.state.container(k120)->running = RunState::unknown; }).empty());
}

TEST_CASE("a bystander that nobody could ask is no reason not to be clean") {
  Host host = test::clean_host();
  host.state.container(k121)->running = RunState::unknown;
  CHECK(audit_of(host).clean());
}

TEST_CASE("the same sentence is said once") {
  Host host = test::clean_host();
  host.state.cannot_tell = {"x", "x"};
  CHECK(audit_of(host).unknown.size() == 1);
}

TEST_CASE("a machine with the card and a container that runs with it is a double bound card too (11.11)") {
  Host host = test::clean_host();
  host.state.vms[kGpu1] = {"VM 200"};
  const Audit seen = audit_of(host);
  CHECK(find(seen, "card-bound-by-vm") != nullptr);
  CHECK(find(seen, "card-double-bound") != nullptr);
}

TEST_CASE("many processes of one place on one card are one finding") {
  Host host = test::clean_host();
  host.state.container(k120)->units[0] = unit(kQwen36, false);
  host.state.cards[0].holders.push_back(host.state.cards[0].holders.front());
  host.state.cards[0].holders.back().process.pid = 4712;
  const Audit seen = audit_of(host);
  CHECK(std::ranges::count(seen.findings, std::string("holder-foreign"), &Finding::code) == 1);
  CHECK(find(seen, "holder-foreign")->message.find("and 1 more") != std::string::npos);
}

TEST_CASE("a folder of which one card is permitted and one is not is one line, and one finding (B09)") {
  Host host = test::clean_host();
  Binding folder = host.state.container(k120)->bindings[0];
  folder.line = "lxc.mount.entry: /dev/dri dev/dri none bind";
  folder.source = "/dev/dri";
  folder.every_card = true;
  host.state.container(k120)->bindings.push_back(folder);
  folder.cards = {kGpu2};
  folder.permitted = false;
  host.state.container(k120)->bindings.push_back(folder);
  const Audit seen = audit_of(host);
  CHECK(std::ranges::count(seen.findings, std::string("card-wildcard-access"), &Finding::code) == 1);
  REQUIRE(find(seen, "binding-not-permitted") != nullptr);
  CHECK(find(seen, "binding-not-permitted")->message.find("gpu2") != std::string::npos);
}

TEST_CASE("text that others wrote is shown without its control characters") {
  Host host = test::clean_host();
  host.state.container(k120)->unprovable = {"lxc.hook.mount: /x\x1b[31m\r"};
  host.state.cards[0].holders[0].command = "a\nb";
  host.state.container(k120)->units[0] = unit(kQwen36, false);
  for (const Finding& finding : audit_of(host).findings) {
    INFO(finding.message);
    CHECK(std::ranges::all_of(finding.message, [](char c) { return static_cast<unsigned char>(c) >= 0x20; }));
  }
}

TEST_CASE("an audit of 500 containers is far below its budget, as its work grows with their number alone") {
  Host host = test::clean_host();
  for (std::uint32_t vmid = 1000; vmid < 1500; ++vmid) {
    Container more = *host.state.container(k121);
    more.vmid = *Vmid::parse(std::to_string(vmid));
    host.state.containers.push_back(more);
  }
  CHECK(audit_of(host).clean());
}

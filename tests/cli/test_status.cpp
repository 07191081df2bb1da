// `status` at two in the morning: one screen, what is wrong first, who works on each card and how hard.
#include <algorithm>

#include "catch.h"
#include "cli/render.h"
#include "decide/findings.h"
#include "decide/two_v620.h"
#include "mocks/mock_host.h"
#include "mocks/two_v620.h"
#include "observe/engine_share.h"
#include "observe/holders.h"

using namespace interlock;
using namespace interlock::two_v620;

namespace {

std::string shown(const HostState& state, bool colour = false) {
  const Policy rules = policy();
  return cli::status_text(state, rules, decide::audit(state, rules), {.colour = colour});
}

nlohmann::json json_of(const HostState& state) {
  const Policy rules = policy();
  return cli::status_json(state, rules, decide::audit(state, rules));
}

/// Where `text` has `part`; behind everything where it has not.
std::size_t at(const std::string& text, const std::string& part) {
  return text.find(part);
}

std::ptrdiff_t lines(const std::string& text) {
  return std::ranges::count(text, '\n');
}

}  // namespace

TEST_CASE(
    "status of a host at work fits a small terminal, and names server, memory, engine share and the boot") {
  HostState state = normal();
  state.cards[0].memory_total = 32752 * kMiB;
  state.cards[0].memory_used = 20480 * kMiB;
  state.cards[0].holders[0].engine_percent = 97;
  const std::string text = shown(state);
  INFO(text);
  CHECK(lines(text) <= 24);
  for (const char* part :
       {"the guard watches", "serving 120/llamacpp.service", "20.0 GiB of 32.0 GiB", "97 % busy", "62.0 C",
        "llama-server", "4711", "AT BOOT", "starts", "gpu1", "gpu2"}) {
    INFO(part);
    CHECK(at(text, part) != std::string::npos);
  }
  CHECK(at(text, "121") == std::string::npos);  // it has nothing to do with the cards
  CHECK(at(text, "\x1b") == std::string::npos);
}

TEST_CASE("what is wrong stands above everything else, and so does the card that it is about") {
  HostState state = normal();
  state.guard.running = Truth::yes;
  state.guard.states[state.cards[1].id] = GuardState::latched;
  state.latches[kGpu2] = {TripReason::over_temperature, "junction 103.0 C twice in a row",
                          "2026-11-30T02:14:07Z", false};
  state.container(k121)->bindings = {state.container(k120)->bindings[0]};
  const std::string text = shown(state);
  INFO(text);
  CHECK(at(text, "card-double-bound") < at(text, "CARD  "));
  CHECK(at(text, "gpu2  latched") < at(text, "gpu1  guarding"));
  CHECK(at(text, "tripped at 2026-11-30T02:14:07Z") != std::string::npos);
  CHECK(at(text, "gpu-interlock reset gpu2") != std::string::npos);
}

TEST_CASE("a host with everything wrong still shows its cards on one screen") {
  HostState state = normal();
  state.guard = {};
  state.guard.running = Truth::no;
  state.cards[0].holders.resize(40, state.cards[0].holders[0]);
  for (Pid pid = 1; pid <= 12; ++pid)
    state.unknown_holders.push_back({pid, {k120, {}, {}, true, false}, "no"});
  state.policy_broken = "policy.yaml:3:7: unknown key 'pcl'";
  state.cutover = OpenCutover{"20261130T021407Z-to-qwen38fn", "to-qwen38fn", "interrupted", false};
  const std::string text = shown(state);
  INFO(text);
  CHECK(lines(text) <= 50);
  CHECK(at(text, "more violations: gpu-interlock audit") != std::string::npos);
  CHECK(at(text, "35 more holders of gpu1") != std::string::npos);
  CHECK(at(text, "the guard is not running") != std::string::npos);
  CHECK(at(text, "gpu-interlock recover") != std::string::npos);
}

TEST_CASE("a cool card is not called guarded while no guard watches it, or one that is not fresh") {
  HostState state = normal();
  SECTION("no guard") {
    state.guard.running = Truth::no;
  }
  SECTION("one that cannot be asked about") {
    state.guard.running = Truth::unknown;
  }
  SECTION("one that does not judge in time") {
    state.guard.fresh = false;
  }
  const std::string text = shown(state);
  INFO(text);
  CHECK(at(text, "guarding") == std::string::npos);
  CHECK(at(text, "gpu1  no guard") != std::string::npos);
  CHECK(at(text, "gpu2  no guard") != std::string::npos);
  for (const auto& card : json_of(state).at("cards")) {
    CHECK(card.at("guarded") == false);
    CHECK(card.at("state") == "guarding");  // the names of states are a contract (design, 11.12)
  }
}

TEST_CASE("nor is a card that the guard does not know yet, while it watches the other") {
  HostState state = normal();
  state.guard.states.erase(state.cards[1].id);
  const std::string text = shown(state);
  INFO(text);
  CHECK(at(text, "gpu1  guarding") != std::string::npos);
  CHECK(at(text, "gpu2  no guard") != std::string::npos);
  CHECK(json_of(state).at("cards").at(0).at("guarded") == true);
  CHECK(json_of(state).at("cards").at(1).at("guarded") == false);
}

TEST_CASE("colour marks what is wrong, where a terminal shows it, and moves no column") {
  HostState state = normal();
  state.guard.running = Truth::no;
  const std::string coloured = shown(state, true);
  CHECK(at(coloured, "\x1b[31;1m") != std::string::npos);
  std::string plain;
  for (std::size_t i = 0; i < coloured.size(); ++i) {
    if (coloured[i] == '\x1b') {
      i = coloured.find('m', i);
    } else {
      plain += coloured[i];
    }
  }
  CHECK(plain == shown(state));
}

TEST_CASE("an idle holder, and one of which nothing is known, are told apart (S12)") {
  HostState state = normal();
  state.cards[0].holders[0].uses = Truth::no;
  state.cards[1].holders[0].uses = Truth::unknown;
  state.cards[1].holders[0].memory.reset();
  const std::string text = shown(state);
  INFO(text);
  CHECK(at(text, "idle") != std::string::npos);
  CHECK(at(text, "not known") != std::string::npos);
  CHECK(at(text, "use not known") != std::string::npos);
}

TEST_CASE("memory that only KFD tells of is shown as KFD's, and none that it tells of is not called none") {
  HostState state = normal();
  Holder& holder = state.cards[0].holders[0];
  holder.memory.reset();
  SECTION("it tells of some") {
    holder.kfd_memory = 8000 * kMiB;
    CHECK(at(shown(state), "7.8 GiB (KFD)") != std::string::npos);
    const auto json = json_of(state).at("cards").at(0).at("holders").at(0);
    CHECK(json.at("vram_bytes") == 8000 * kMiB);
    CHECK(json.at("vram_told_by") == "kfd");
  }
  SECTION("it tells of none") {
    holder.kfd_memory = 0;
    CHECK(at(shown(state), "not known") != std::string::npos);
    CHECK(json_of(state).at("cards").at(0).at("holders").at(0).at("vram_bytes").is_null());
  }
  SECTION("fdinfo tells, and counts more") {
    holder.memory = 9000 * kMiB;
    holder.kfd_memory = 8000 * kMiB;
    CHECK(at(shown(state), "KFD") == std::string::npos);
    CHECK(json_of(state).at("cards").at(0).at("holders").at(0).at("vram_told_by") == "fdinfo");
  }
}

TEST_CASE("two looks tell how busy a server keeps its card; KFD's work is in no fdinfo, so not told") {
  mocks::MockHost host(mocks::two_v620());
  const auto nodes = observe::card_nodes(host);
  const auto found = observe::find_holders(host, nodes, 64 * kMiB, std::nullopt);
  REQUIRE(found);
  REQUIRE(found->holders.size() == 2);
  HostState state = normal();
  state.cards[0].holders = {found->holders[0]};
  state.cards[1].holders = {found->holders[1]};
  state.cards[1].holders[0].kfd_queue = true;
  observe::measure_engines(host, nodes, state.cards, std::chrono::milliseconds(100));
  CHECK(state.cards[0].holders[0].engine_percent.has_value());
  CHECK_FALSE(state.cards[1].holders[0].engine_percent.has_value());
}

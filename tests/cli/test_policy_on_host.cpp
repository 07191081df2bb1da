// `policy check` on the host that the policy is for: a slip of the pen is found before the first cutover
// meets it.
#include <algorithm>
#include <cerrno>

#include "catch.h"
#include "cli/policy_on_host.h"
#include "decide/two_v620.h"

using namespace interlock;
using namespace interlock::two_v620;

namespace {

std::vector<std::string> told(const HostState& state) {
  std::vector<std::string> codes;
  for (const Finding& finding : cli::policy_on_host(state, policy()).findings)
    codes.push_back(finding.code + " " + finding.subject);
  return codes;
}

using Told = std::vector<std::string>;

}  // namespace

TEST_CASE("a host that has all that the policy names is told so") {
  CHECK(told(normal()).empty());
}

TEST_CASE("what the policy names and the host does not have is a finding each") {
  HostState state = normal();
  SECTION("a card") {
    state.cards[1].present = false;
    CHECK(told(state) == Told{"card-missing gpu2"});
  }
  SECTION("a card's sensor (amdgpu.md 1.3)") {
    state.cards[0].sample->channels[1].reset();
    CHECK(told(state) == Told{"channel-missing gpu1"});
  }
  SECTION("a sensor whose file is not there") {
    state.cards[0].sample->channels[1]->input = {ENOENT, ""};
    CHECK(told(state) == Told{"channel-missing gpu1"});
  }
  SECTION("a container") {
    std::erase_if(state.containers, [](const Container& container) { return container.vmid == k123; });
    CHECK(told(state) == Told{"container-missing 123"});
  }
  SECTION("a unit (two-v620 failure 1)") {
    state.container(k120)->units[1].load = LoadState::not_found;
    CHECK(told(state) == Told{"unit-missing 120/" + state.container(k120)->units[1].name.text()});
  }
}

TEST_CASE("a sensor that cannot be read now is not taken for one that the card does not have") {
  HostState state = normal();
  state.cards[0].sample->channels[1]->input = {EIO, ""};
  CHECK(told(state).empty());
}

TEST_CASE("units that could not be asked about are said, and are no finding") {
  HostState state = normal();
  state.container(k120)->units_answer = UnitsAnswer::unanswered;
  state.container(k120)->units_error = "no answer within 30 s";
  CHECK(told(state).empty());
  const auto unknown = cli::policy_on_host(state, policy()).unknown;
  REQUIRE(unknown.size() == 1);
  CHECK(unknown[0].find("120") != std::string::npos);
}

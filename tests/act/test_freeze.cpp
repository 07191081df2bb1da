#include "act/freeze.h"
#include "act/latch_file.h"
#include "act/shed.h"
#include "catch.h"
#include "host/paths.h"
#include "mocks/mock_host.h"
#include "mocks/two_v620.h"

using namespace interlock;
using namespace interlock::act;
using interlock::mocks::Fault;
using interlock::mocks::MockHost;

namespace {

const PciAddress kCard = *PciAddress::parse("0000:03:00.0");
const std::string kUnit = "/lxc/120/ns/system.slice/llamacpp.service";
const std::string kOther = "/lxc/123/ns/system.slice/llamacpp-qwen38fn.service";

bool frozen(const MockHost& host, const std::string& cgroup) {
  return host.model().frozen.contains(cgroup);
}

}  // namespace

TEST_CASE("a freeze is recorded before it is done, and the thaw forgets it (design, 11.7)") {
  MockHost host(mocks::two_v620());
  std::vector<std::string> writes;
  host.after = [&](const mocks::Operation& it) {
    if (it.mutating && it.kind != mocks::OperationKind::make_folder) writes.push_back(it.text);
  };
  REQUIRE(freeze(host, kCard, kUnit).has_value());
  CHECK(frozen(host, kUnit));
  CHECK(*is_frozen(host, kUnit));
  REQUIRE(writes.size() == 2);
  CHECK(writes[0].starts_with(paths::kFreezes));
  CHECK(writes[1].ends_with("cgroup.freeze"));
  REQUIRE(thaw(host, kUnit).has_value());
  CHECK_FALSE(frozen(host, kUnit));
  CHECK(host.list_folder(paths::kFreezes)->empty());
}

TEST_CASE("a freeze of somebody else is never thawed: it has no record (design, 11.7)") {
  MockHost host(mocks::two_v620());
  host.machine().freeze_cgroup(kUnit, true);
  CHECK(thaw(host, kUnit).has_value());
  CHECK(thaw_leftovers(host).has_value());
  CHECK(frozen(host, kUnit));
}

TEST_CASE("a hot card's load is frozen even when the record cannot be written") {
  MockHost host(mocks::two_v620());
  host.choose = [](const mocks::Operation& it) {
    return Fault{it.kind == mocks::OperationKind::replace_file ? Fault::Kind::fail : Fault::Kind::none, 0,
                 false};
  };
  CHECK_FALSE(freeze(host, kCard, kUnit).has_value());
  CHECK(frozen(host, kUnit));
}

TEST_CASE("after a crash of the daemon what it froze is thawed, so that nothing stands still for ever") {
  MockHost host(mocks::two_v620());
  REQUIRE(freeze(host, kCard, kUnit).has_value());
  REQUIRE(freeze(host, *PciAddress::parse("0000:83:00.0"), kOther).has_value());
  host.revive();
  REQUIRE(thaw_leftovers(host).has_value());
  CHECK(host.model().frozen.empty());
  CHECK(host.model().container(120)->units[0].active == "active");
}

TEST_CASE("what was frozen for a card that is latched is killed before it is thawed") {
  MockHost host(mocks::two_v620());
  REQUIRE(freeze(host, kCard, kUnit).has_value());
  REQUIRE(set_latch(host, kCard, {TripReason::over_temperature, "hot", "now", false}).has_value());
  REQUIRE(thaw_leftovers(host).has_value());
  for (const std::string& cgroup : host.model().frozen) CHECK_FALSE(host.machine().cgroup_exists(cgroup));
  for (const mocks::Process& process : host.model().processes) CHECK(process.cgroup != kUnit);
}

TEST_CASE("a cgroup that is gone by the time of the thaw is good news") {
  MockHost host(mocks::two_v620());
  REQUIRE(freeze(host, kCard, kUnit).has_value());
  host.machine().kill_container(120);
  CHECK(thaw(host, kUnit).has_value());
  CHECK(host.list_folder(paths::kFreezes)->empty());
}

TEST_CASE("a record that is not whole is said, and keeps no other freeze from being lifted") {
  MockHost host(mocks::two_v620());
  REQUIRE(freeze(host, kCard, kUnit).has_value());
  host.poke(std::string(paths::kFreezes) + "/0", "half");
  CHECK_FALSE(thaw_leftovers(host).has_value());
  CHECK(host.model().frozen.empty());
}

TEST_CASE("freeze_now freezes what may be frozen whole, and nothing else (11.6)") {
  MockHost host(mocks::two_v620());
  decide::ShedTarget unit;
  unit.cgroup = kUnit;
  unit.whole = true;
  decide::ShedTarget process;
  process.kind = decide::ShedTarget::Kind::process;
  process.cgroup = "/lxc/120/ns/.lxc";
  freeze_now(host, kCard, {unit, process});
  CHECK(host.model().frozen == std::set{kUnit});
}

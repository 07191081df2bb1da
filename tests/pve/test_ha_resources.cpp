// Which containers high availability would start by itself (pct.md, 1.12 and 5.4).
#include "catch.h"
#include "pve/ha_resources.h"

using namespace interlock;
using namespace interlock::pve;

TEST_CASE("a resource without a state is to be started: that is HA's default (pct.md 5.4)") {
  const auto managed = parse_ha_resources("ct: 120\n\tgroup main\n");
  REQUIRE(managed);
  CHECK(managed->at(*Vmid::parse("120")) == "started");
}

TEST_CASE("states as they are wished, the old 'enabled' as 'started', and 'ignored' as not managed") {
  const auto managed = parse_ha_resources(
      "ct: 120\n\tstate stopped\n\nct: 121\n\tstate ignored\n\nct: 122\n\tstate enabled\n\nct: 123\n\tstate "
      "disabled\n");
  REQUIRE(managed);
  CHECK(managed->size() == 3);
  CHECK(managed->at(*Vmid::parse("120")) == "stopped");
  CHECK_FALSE(managed->contains(*Vmid::parse("121")));
  CHECK(managed->at(*Vmid::parse("122")) == "started");
  CHECK(managed->at(*Vmid::parse("123")) == "disabled");
}

TEST_CASE("virtual machines and resources of other kinds are passed over") {
  CHECK(parse_ha_resources("vm: 200\n\tstate started\n\nservice: x\n")->empty());
  CHECK(parse_ha_resources("")->empty());
}

TEST_CASE("a file that cannot be understood is an error, never 'nobody'") {
  CHECK_FALSE(parse_ha_resources("garbage\n"));
  CHECK_FALSE(parse_ha_resources("ct: web\n"));
}

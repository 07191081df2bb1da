#include "catch.h"
#include "daemon/holder_wire.h"

using namespace interlock;
using namespace interlock::daemon;

namespace {

const PciAddress kGpu1 = *PciAddress::parse("0000:03:00.0");

Holder server() {
  return {.process = {4711, 991},
          .command = "llama-server",
          .card = kGpu1,
          .place = {.container = Vmid::parse("120"),
                    .unit = UnitName::parse("llamacpp.service"),
                    .cgroup = "/lxc/120/ns/system.slice/llamacpp.service",
                    .known = true,
                    .whole = true},
          .memory = 26 * 1024 * kMiB,
          .engine_ns = 77,
          .kfd_memory = 5,
          .kfd_queue = true,
          .uses = Truth::yes};
}

}  // namespace

TEST_CASE("a look for holders comes out of its helper as it went in") {
  HolderLook look;
  look.holders = {server()};
  look.unknown = {{815, {.container = {}, .unit = {}, .cgroup = "", .known = false}, "permission denied"}};
  const auto seen = parse_holder_line(holder_line(look));
  REQUIRE(seen);
  CHECK(*seen == look);
}

TEST_CASE("a holder whose memory could not be told stays so, never 0 bytes (unknown is never zero)") {
  HolderLook look;
  look.holders = {server()};
  look.holders[0].memory.reset();
  look.holders[0].engine_ns.reset();
  look.holders[0].kfd_memory.reset();
  look.holders[0].uses = Truth::unknown;
  look.holders[0].place.unit.reset();
  const auto seen = parse_holder_line(holder_line(look));
  REQUIRE(seen);
  CHECK(*seen == look);
}

TEST_CASE("a command name of any bytes does not break the line") {
  HolderLook look;
  look.holders = {server()};
  look.holders[0].command = "we\xffird\n\"name";
  const std::string line = holder_line(look);
  CHECK(line.find('\n') == std::string::npos);
  const auto seen = parse_holder_line(line);
  REQUIRE(seen);
  CHECK(*seen == look);
}

TEST_CASE("a helper that cannot look says why, and that is no empty look") {
  const auto seen = parse_holder_line(trouble_line("cannot list /proc: Permission denied"));
  REQUIRE_FALSE(seen);
  CHECK(seen.error().message == "cannot list /proc: Permission denied");
  CHECK_FALSE(parse_binding_line(trouble_line("no")));
}

TEST_CASE("half a line, or a line of something else, is an error and no empty look") {
  const std::string whole = holder_line({{server()}, {}});
  CHECK_FALSE(parse_holder_line(whole.substr(0, whole.size() / 2)));
  CHECK_FALSE(parse_holder_line("{}"));
  CHECK_FALSE(parse_holder_line("[]"));
  CHECK_FALSE(parse_holder_line(R"({"holders":[{"pid":1}],"unknown":[]})"));
  CHECK_FALSE(parse_binding_line(R"({"running":{"no address":[]},"may_sleep":[],"trouble":[]})"));
}

TEST_CASE("which running containers bind a card comes through") {
  BindingLook look;
  look.running[kGpu1] = {*Vmid::parse("120"), *Vmid::parse("123")};
  look.may_sleep = {kGpu1};
  look.trouble = {"/etc/pve is not mounted"};
  const auto seen = parse_binding_line(binding_line(look));
  REQUIRE(seen);
  CHECK(*seen == look);
}

TEST_CASE("a question about holders comes out of its pipe as it went in: everywhere is not nowhere") {
  using Where = std::optional<std::set<Vmid>>;
  for (const Where& where :
       {Where{}, Where{std::set<Vmid>{}}, Where{{*Vmid::parse("120"), *Vmid::parse("121")}}}) {
    const auto read = parse_holder_question(holder_question(where));
    REQUIRE(read);
    CHECK(*read == where);
  }
  CHECK_FALSE(parse_holder_question("120 nowhere"));
}

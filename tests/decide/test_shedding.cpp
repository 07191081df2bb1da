#include "catch.h"
#include "decide/shedding.h"

using namespace interlock;
using namespace interlock::decide;

namespace {

using Kind = ShedTarget::Kind;
constexpr Pid kOwn = 500;

Vmid vmid(const char* text) {
  return *Vmid::parse(text);
}

struct Where {
  const char* container;  // nullptr: the host
  const char* unit;       // nullptr: in none
  const char* cgroup;
  bool whole;
};

Place place(const Where& where) {
  return {.container = where.container != nullptr ? Vmid::parse(where.container) : std::nullopt,
          .unit = where.unit != nullptr ? UnitName::parse(where.unit) : std::nullopt,
          .cgroup = where.cgroup,
          .known = true,
          .whole = where.whole};
}

Holder holder(Pid pid, const Where& where, Truth uses = Truth::yes, std::string command = "llama-server") {
  return {.process = {pid, 1},
          .command = std::move(command),
          .card = *PciAddress::parse("0000:03:00.0"),
          .place = place(where),
          .memory = std::nullopt,
          .engine_ns = std::nullopt,
          .kfd_memory = std::nullopt,
          .kfd_queue = false,
          .uses = uses};
}

constexpr Where kService{"120", "llamacpp.service", "/lxc/120/ns/system.slice/llamacpp.service", true};
constexpr Where kOther{"120", "whisper.service", "/lxc/120/ns/system.slice/whisper.service", true};
constexpr Where kByHand{"120", nullptr, "/lxc/120/ns/.lxc", false};
constexpr Where kDocker{"120", "docker-0123abcd.scope", "/lxc/120/ns/system.slice/docker-0123abcd.scope",
                        true};
constexpr Where kSession{"120", "session-c1.scope", "/lxc/120/ns/user.slice/user-0.slice/session-c1.scope",
                         false};
constexpr Where kDelegated{"120", "podman.service", "/lxc/120/ns/system.slice/podman.service/sub", false};
constexpr Where kUserUnit{"120", "llama.service",
                          "/lxc/120/ns/user.slice/user-1000.slice/user@1000.service/app.slice/llama.service",
                          true};
constexpr Where kContainerInit{"120", "init.scope", "/lxc/120/ns/init.scope", false};
constexpr Where kLogind{"120", "systemd-logind.service", "/lxc/120/ns/system.slice/systemd-logind.service",
                        true};
constexpr Where kHostService{nullptr, "ollama.service", "/system.slice/ollama.service", true};
constexpr Where kHostShell{nullptr, "session-3.scope", "/user.slice/user-0.slice/session-3.scope", false};
constexpr Where kVm{nullptr, "200.scope", "/qemu.slice/200.scope", false};
constexpr Where kOurs{nullptr, "gpu-interlockd.service", "/system.slice/gpu-interlockd.service", true};

std::vector<ShedTarget> targets(const std::vector<Holder>& holders) {
  return shed_targets(holders, {}, {}, kOwn);
}

}  // namespace

TEST_CASE("processes of one unit are one target: it is stopped once and frozen once") {
  const auto found = targets({holder(10, kService), holder(11, kService)});
  REQUIRE(found.size() == 1);
  CHECK(found[0] == ShedTarget{.kind = Kind::unit,
                               .container = vmid("120"),
                               .unit = UnitName::parse("llamacpp.service"),
                               .cgroup = kService.cgroup,
                               .whole = true,
                               .processes = {{10, 1}, {11, 1}}});
}

TEST_CASE("a process listed twice is one process") {
  CHECK(targets({holder(10, kService), holder(10, kService)}).front().processes.size() == 1);
  CHECK(targets({holder(10, kByHand), holder(10, kByHand)}).size() == 1);
}

TEST_CASE("a benchmark started by hand, in no unit, is shed like anything else (two-v620 failure 9)") {
  const auto found = targets({holder(10, kByHand, Truth::yes, "llama-bench")});
  REQUIRE(found.size() == 1);
  CHECK(found[0].kind == Kind::process);
  CHECK_FALSE(found[0].whole);
  CHECK(found[0].processes == std::vector<ProcessId>{{10, 1}});
}

TEST_CASE(
    "units come before lone processes, and those that use the card before those that only have it open") {
  const auto found = targets({holder(10, kByHand, Truth::no), holder(11, kByHand),
                              holder(12, kService, Truth::no), holder(13, kOther)});
  REQUIRE(found.size() == 4);
  CHECK(found[0].unit == UnitName::parse("whisper.service"));
  CHECK(found[1].unit == UnitName::parse("llamacpp.service"));
  CHECK(found[2].processes.front().pid == 11);
  CHECK(found[3].processes.front().pid == 10);
}

TEST_CASE("a holder whose use cannot be told is shed with those that use the card") {
  const auto found = targets({holder(10, kByHand, Truth::no), holder(11, kByHand, Truth::unknown)});
  CHECK(found.front().processes.front().pid == 11);
}

TEST_CASE("a docker scope may be frozen and killed whole; a session, .lxc and init.scope never are (11.6)") {
  CHECK(targets({holder(10, kDocker)}).front().kind == Kind::unit);
  CHECK(targets({holder(10, kDocker)}).front().whole);
  for (const Where& where : {kSession, kByHand, kContainerInit}) {
    const auto found = targets({holder(10, where)});
    REQUIRE(found.size() == 1);
    CHECK(found[0].kind == Kind::process);
    CHECK_FALSE(found[0].whole);
  }
}

TEST_CASE("a service with cgroups of its own below is asked to stop, but not frozen or killed whole (11.6)") {
  const auto found = targets({holder(10, kDelegated)});
  CHECK(found.front().kind == Kind::unit);
  CHECK_FALSE(found.front().whole);
}

TEST_CASE("a unit of a user's own systemd cannot be asked through the container's") {
  const auto found = targets({holder(10, kUserUnit), holder(11, kUserUnit)});
  REQUIRE(found.size() == 1);
  CHECK(found[0].kind == Kind::process);
  CHECK(found[0].whole);
  CHECK(found[0].processes.size() == 2);
}

TEST_CASE("the same unit name in two containers is two units") {
  Where elsewhere = kService;
  elsewhere.container = "123";
  elsewhere.cgroup = "/lxc/123/ns/system.slice/llamacpp.service";
  CHECK(targets({holder(10, kService), holder(11, elsewhere)}).size() == 2);
}

TEST_CASE(
    "PID 1, the container's systemd, logind and we ourselves are never shed (11.6, two-v620 failure 12)") {
  const std::vector<Holder> holders = {holder(1, kService), holder(10, kContainerInit, Truth::yes, "systemd"),
                                       holder(11, kLogind), holder(kOwn, kOurs)};
  CHECK(targets(holders).empty());
  for (const Holder& one : holders) CHECK(is_spared(one, kOwn));
}

TEST_CASE("our own unit is not frozen, even around another process in it") {
  const auto found = targets({holder(10, kOurs)});
  REQUIRE(found.size() == 1);
  CHECK(found[0].kind == Kind::process);
  CHECK_FALSE(found[0].whole);
}

TEST_CASE(
    "virtual machines and idle processes of the host are reported, not shed; working ones are shed (11.6)") {
  CHECK(targets({holder(10, kVm)}).empty());
  CHECK(targets({holder(10, kHostShell, Truth::no), holder(11, kHostService, Truth::no)}).empty());
  const auto found = targets({holder(10, kHostShell), holder(11, kHostService)});
  REQUIRE(found.size() == 2);
  CHECK(found[0].kind == Kind::unit);
  CHECK_FALSE(found[0].container);
  CHECK(found[1].kind == Kind::process);
}

TEST_CASE("a holder whose cgroup could not be read is ended by its own process, idle or not") {
  Holder lost = holder(10, kByHand, Truth::no);
  lost.place = {
      .container = std::nullopt, .unit = std::nullopt, .cgroup = {}, .known = false, .whole = false};
  const auto found = targets({lost});
  REQUIRE(found.size() == 1);
  CHECK(found[0].kind == Kind::process);
}

TEST_CASE("an unknown holder means every container that binds the card, each once, after all else") {
  const UnknownHolder unknown{
      .pid = 9, .place = {std::nullopt, std::nullopt, {}, false, false}, .why = "EACCES"};
  const auto found =
      shed_targets({holder(10, kByHand)}, {unknown, unknown}, {vmid("120"), vmid("123")}, kOwn);
  REQUIRE(found.size() == 3);
  CHECK(found[0].kind == Kind::process);
  CHECK(found[1].kind == Kind::container);
  CHECK(found[1].container == vmid("120"));
  CHECK(found[2].container == vmid("123"));
}

TEST_CASE("an unknown holder known to live in a container that binds the card means that container alone") {
  const UnknownHolder unknown{.pid = 9, .place = place(kByHand), .why = "EACCES"};
  const auto found = shed_targets({}, {unknown}, {vmid("120"), vmid("123")}, kOwn);
  REQUIRE(found.size() == 1);
  CHECK(found[0].container == vmid("120"));
}

TEST_CASE("an unknown process of a bystander takes down those that bind the card, never the bystander") {
  Where bystander = kByHand;
  bystander.container = "121";
  const UnknownHolder unknown{.pid = 9, .place = place(bystander), .why = "EACCES"};
  const auto found = shed_targets({}, {unknown}, {vmid("120")}, kOwn);
  REQUIRE(found.size() == 1);
  CHECK(found[0].container == vmid("120"));
}

TEST_CASE("nobody at the card: nothing to shed") {
  CHECK(shed_targets({}, {}, {vmid("120")}, kOwn).empty());
}

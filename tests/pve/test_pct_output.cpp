// What systemctl and /proc/net/unix say (cases/units.md; pct.md 1.1, 1.9).
#include "catch.h"
#include "pve/pct_output.h"

using namespace interlock;
using namespace interlock::pve;

namespace {

UnitName unit(const char* name) {
  return *UnitName::parse(name);
}
const UnitName kOne = unit("llamacpp.service");
const UnitName kTwo = unit("llamacpp-qwen38fn.service");

std::string block(const std::string& id, const std::string& active, const std::string& file,
                  const std::string& more = "") {
  return "Id=" + id + "\nLoadState=loaded\nActiveState=" + active + "\nSubState=x\nUnitFileState=" + file +
         "\nNRestarts=0\n" + more;
}

struct Row {
  const char* reason;
  const char* output;
  Truth live;
  Truth starts;
  Truth retired;
};

// Each answers for llamacpp.service alone.
const Row kRows[] = {
    {"serving", "LoadState=loaded\nActiveState=active\nSubState=running\nUnitFileState=enabled\n", Truth::yes,
     Truth::yes, Truth::no},
    {"retired", "LoadState=loaded\nActiveState=inactive\nSubState=dead\nUnitFileState=disabled\n", Truth::no,
     Truth::no, Truth::yes},
    {"U01: activating is alive",
     "LoadState=loaded\nActiveState=activating\nSubState=start-pre\nUnitFileState=disabled\n", Truth::yes,
     Truth::no, Truth::no},
    {"U02: between two restarts",
     "LoadState=loaded\nActiveState=activating\nSubState=auto-restart\nUnitFileState=disabled\nNRestarts="
     "211\n",
     Truth::yes, Truth::no, Truth::no},
    {"U03: a name that does not exist",
     "LoadState=not-found\nActiveState=inactive\nSubState=dead\nUnitFileState=\n", Truth::no, Truth::no,
     Truth::yes},
    {"U04: indirect, and nothing triggers it",
     "LoadState=loaded\nActiveState=inactive\nUnitFileState=indirect\nTriggeredBy=\nWantedBy=\n", Truth::no,
     Truth::no, Truth::yes},
    {"U04: indirect, and a socket triggers it",
     "LoadState=loaded\nActiveState=inactive\nUnitFileState=indirect\nTriggeredBy=llamacpp.socket\n",
     Truth::no, Truth::yes, Truth::no},
    {"U05: static: enabling it changed nothing",
     "LoadState=loaded\nActiveState=active\nUnitFileState=static\n", Truth::yes, Truth::no, Truth::no},
    {"U06: masked, with a link left behind",
     "LoadState=masked\nActiveState=inactive\nUnitFileState=masked\nWantedBy=multi-user.target\n", Truth::no,
     Truth::no, Truth::yes},
    {"U06: a runtime mask vanishes at the boot",
     "LoadState=masked\nActiveState=inactive\nUnitFileState=masked-runtime\n", Truth::no, Truth::yes,
     Truth::no},
    {"U07: disabled and stopped, its socket listens",
     "LoadState=loaded\nActiveState=inactive\nUnitFileState=disabled\nTriggeredBy=foo.socket\n", Truth::no,
     Truth::yes, Truth::no},
    {"U08: no word that we know: unknown, never no",
     "LoadState=loaded\nActiveState=maintenance\nUnitFileState=disabled\n", Truth::unknown, Truth::no,
     Truth::unknown},
    {"U09: deactivating for half an hour",
     "LoadState=loaded\nActiveState=deactivating\nSubState=stop-sigterm\nUnitFileState=disabled\n",
     Truth::yes, Truth::no, Truth::no},
    {"U10: activating for hours",
     "LoadState=loaded\nActiveState=activating\nSubState=start\nUnitFileState=enabled\n", Truth::yes,
     Truth::yes, Truth::no},
    {"U11: it died", "LoadState=loaded\nActiveState=failed\nSubState=failed\nUnitFileState=enabled\n",
     Truth::no, Truth::yes, Truth::no},
    {"U12: enabled until the reboot",
     "LoadState=loaded\nActiveState=inactive\nUnitFileState=enabled-runtime\n", Truth::no, Truth::yes,
     Truth::no},
    {"U13: active without a process",
     "LoadState=loaded\nActiveState=active\nSubState=exited\nUnitFileState=disabled\n", Truth::yes, Truth::no,
     Truth::no},
    {"wanted by another unit's own file",
     "LoadState=loaded\nActiveState=inactive\nUnitFileState=disabled\nWantedBy=models.target\n", Truth::no,
     Truth::yes, Truth::no},
    {"a file state that we do not know", "LoadState=loaded\nActiveState=inactive\nUnitFileState=strange\n",
     Truth::no, Truth::unknown, Truth::unknown},
};

}  // namespace

TEST_CASE("a unit's answer says whether it lives, would start, and is retired (cases/units.md)") {
  for (const Row& row : kRows) {
    INFO(row.reason);
    const auto units = parse_units(row.output, {kOne});
    REQUIRE(units);
    REQUIRE(units->size() == 1);
    CHECK(units->front().name == kOne);
    CHECK(is_live(units->front()) == row.live);
    CHECK(would_start(units->front()) == row.starts);
    CHECK(is_retired(units->front()) == row.retired);
  }
}

TEST_CASE("restarts and the substate are kept, and no number is not zero (U02)") {
  const auto units = parse_units(
      "LoadState=loaded\nActiveState=activating\nSubState=auto-restart\nUnitFileState=enabled\nNRestarts="
      "211\n",
      {kOne});
  REQUIRE(units);
  CHECK(units->front().restarts == 211U);
  CHECK(units->front().sub == "auto-restart");
  CHECK(parse_units("LoadState=loaded\nActiveState=active\nUnitFileState=enabled\nNRestarts=[not set]\n",
                    {kOne})
            ->front()
            .restarts == std::nullopt);
}

TEST_CASE("what enable linked a unit into is not named beside it; sockets, timers and other units are") {
  const auto units =
      parse_units(block("llamacpp.service", "active", "enabled",
                        "WantedBy=multi-user.target app.service\nRequiredBy=\nTriggeredBy=a.socket "
                        "b.timer\nBoundBy=a.socket\n"),
                  {kOne});
  REQUIRE(units);
  CHECK(units->front().started_by == std::vector<std::string>{"a.socket", "b.timer", "app.service"});
}

TEST_CASE("blocks belong to the units in the order asked, and an alias answers with its real name") {
  const auto units = parse_units(
      block("real.service", "active", "enabled") + "\n" + block(kTwo.text(), "inactive", "disabled"),
      {kOne, kTwo});
  REQUIRE(units);
  REQUIRE(units->size() == 2);
  CHECK((*units)[0].name == kOne);
  CHECK((*units)[0].active == ActiveState::active);
  CHECK((*units)[1].name == kTwo);
  CHECK((*units)[1].active == ActiveState::inactive);
}

TEST_CASE("one asked unit may be the alias of another asked one") {
  CHECK(parse_units(block(kTwo.text(), "active", "enabled") + "\n" + block(kTwo.text(), "active", "enabled"),
                    {kOne, kTwo}));
}

TEST_CASE("an answer that is not whole is an error, never a no (two-v620 failure 7)") {
  CHECK_FALSE(parse_units("", {kOne}));
  CHECK_FALSE(parse_units("\n\n", {kOne}));
  CHECK_FALSE(parse_units(block(kOne.text(), "inactive", "disabled"), {kOne, kTwo}));
  CHECK_FALSE(parse_units(
      block(kOne.text(), "inactive", "disabled") + "\n" + block(kTwo.text(), "active", "enabled"), {kOne}));
  CHECK_FALSE(parse_units("Id=llamacpp.service\nLoadState=loaded\nUnitFileState=disabled\n", {kOne}));
  CHECK_FALSE(parse_units("Id=llamacpp.service\nLoadState=loaded\nActiveState=inactive\n", {kOne}));
  CHECK_FALSE(parse_units("ActiveState=inactive\nUnitFileState=disabled\n", {kOne}));
  CHECK_FALSE(parse_units("Failed to connect to bus: No such file or directory\n", {kOne}));
  CHECK_FALSE(
      parse_units("trying to acquire lock...\n" + block(kOne.text(), "inactive", "disabled"), {kOne}));
  CHECK_FALSE(parse_units(block(kOne.text(), "inactive", "disabled") + "ActiveState=active\n", {kOne}));
  CHECK_FALSE(parse_units("=x\n", {kOne}));
}

TEST_CASE("answers in another order than asked are an error") {
  const auto mixed =
      parse_units(block(kTwo.text(), "active", "enabled") + "\n" + block(kOne.text(), "inactive", "disabled"),
                  {kOne, kTwo});
  REQUIRE_FALSE(mixed);
  CHECK(mixed.error().message.find("order") != std::string::npos);
}

TEST_CASE("CR LF from a terminal in between is not part of a value") {
  const auto units =
      parse_units("LoadState=loaded\r\nActiveState=inactive\r\nUnitFileState=disabled\r\n\r\n", {kOne});
  REQUIRE(units);
  CHECK(is_retired(units->front()) == Truth::yes);
}

TEST_CASE("nothing asked, nothing answered") {
  CHECK(parse_units("", {})->empty());
}

namespace {
const std::string kHeader = "Num       RefCount Protocol Flags    Type St Inode Path\n";
std::string socket(const std::string& path) {
  return "0000000000000000: 00000002 00000000 00010000 0001 01 12345" + (path.empty() ? "" : " " + path) +
         "\n";
}
std::set<Vmid> vmids(std::initializer_list<const char*> texts) {
  std::set<Vmid> all;
  for (const char* text : texts) all.insert(*Vmid::parse(text));
  return all;
}
}  // namespace

TEST_CASE("a container runs when its monitor's command socket is listed (pct.md 1.1)") {
  const auto running =
      parse_running(kHeader + socket("@/var/lib/lxc/120/command") + socket("") +
                    socket("/run/systemd/notify") + socket("@/var/lib/lxc/21211434/command"));
  REQUIRE(running);
  CHECK(*running == vmids({"120", "21211434"}));
}

TEST_CASE("no container runs when the table lists none: an answer") {
  const auto running = parse_running(kHeader + socket("/run/x"));
  REQUIRE(running);
  CHECK(running->empty());
}

TEST_CASE("paths that only look like a container's socket are not one") {
  const auto running =
      parse_running(kHeader + socket("/var/lib/lxc/120/command") + socket("@/var/lib/lxc/120/command/x") +
                    socket("@/var/lib/lxc/0120/command") + socket("@/var/lib/lxc//command") +
                    socket("@/var/lib/lxc/web/command") + socket("@/var/lib/lxc/command") +
                    socket("x@/var/lib/lxc/120/command") + socket("@/var/lib/lxc/99/command"));
  REQUIRE(running);
  CHECK(running->empty());
}

TEST_CASE("a socket's path may hold LF and blanks, and hides none of the others") {
  const auto running = parse_running(kHeader + socket("/tmp/a\nb c") + socket("/tmp/with blank") +
                                     socket("@/var/lib/lxc/123/command"));
  REQUIRE(running);
  CHECK(*running == vmids({"123"}));
}

TEST_CASE("a table of sockets that is not whole is an error, never 'stopped' (two-v620 failure 7)") {
  CHECK_FALSE(parse_running(""));
  CHECK_FALSE(parse_running("\n"));
  CHECK_FALSE(parse_running(socket("@/var/lib/lxc/120/command")));
  CHECK_FALSE(parse_running(kHeader + "0000000000000000: 00000002 0000"));
  CHECK_FALSE(parse_running(kHeader + "0000000000000000: 00000002 0000\n"));
  CHECK_FALSE(parse_running(kHeader + "garbage\n"));
  CHECK_FALSE(parse_running(kHeader + socket("") + "garbage\n"));
  CHECK_FALSE(parse_running("cat: /proc/net/unix: No such file or directory\n"));
}

#include "catch.h"
#include "observe/policy_fixture.h"
#include "observe/units.h"

using namespace interlock;
using namespace interlock::observe;
using namespace interlock::tests;
using namespace std::chrono_literals;

namespace {

const std::vector<UnitName> kLlama = {*UnitName::parse("llamacpp.service")};

std::string block(const std::string& id, const std::string& active, const std::string& file,
                  const std::string& more = "") {
  return "Id=" + id + "\nLoadState=loaded\nActiveState=" + active + "\nSubState=x\nUnitFileState=" + file +
         "\nNRestarts=0\n" + more;
}

/// A pct that answers its n-th call with the n-th text, and notes what it was asked.
struct StandIn {
  Tree tree;
  explicit StandIn(const std::vector<std::string>& answers, int status = 0,
                   const std::string& complaint = "") {
    for (std::size_t i = 0; i < answers.size(); ++i) tree.file("/answer" + std::to_string(i), answers[i]);
    tree.script("/usr/sbin/pct",
                "#!/bin/sh\ncd \"$GPU_INTERLOCK_ROOT\"\necho \"$*\" >> asked\n"
                "n=$(($(wc -l < asked) - 1))\ncat answer$n\n" +
                    (complaint.empty() ? "" : "echo '" + complaint + "' >&2\n") + "exit " +
                    std::to_string(status) + "\n");
  }
  auto ask(Duration deadline = 20s) { return ask_units(tree.host(), k120, kLlama, deadline); }
  std::vector<std::string> asked() {
    std::vector<std::string> lines;
    const std::string text = tree.read("/asked");
    for (const auto line : lines_of(text)) lines.emplace_back(line);
    return lines;
  }
};

}  // namespace

TEST_CASE(
    "units are asked with one pct exec, each option where pct cannot take it for its own (pct.md 1.0)") {
  StandIn pct({block("llamacpp.service", "active", "enabled")});
  const auto units = pct.ask();
  REQUIRE(units);
  CHECK(units->front().active == ActiveState::active);
  CHECK(units->front().started_by.empty());
  REQUIRE(pct.asked().size() == 1);
  CHECK(pct.asked().front().starts_with("exec 120 -- systemctl show --property=Id,LoadState,ActiveState,"));
  CHECK(pct.asked().front().ends_with(" -- llamacpp.service"));
}

TEST_CASE("U07: a listening socket would start a stopped service; a second question shows that it listens") {
  StandIn pct({block("llamacpp.service", "inactive", "disabled", "TriggeredBy=llamacpp.socket\n"),
               block("llamacpp.socket", "active", "enabled")});
  const auto units = pct.ask();
  REQUIRE(units);
  CHECK(units->front().started_by == std::vector<std::string>{"llamacpp.socket"});
  CHECK(is_retired(units->front()) == Truth::no);
  CHECK(pct.asked().size() == 2);
  CHECK(pct.asked().back().ends_with(" -- llamacpp.socket"));
}

TEST_CASE("U04: a socket that is itself disabled and inactive starts nothing") {
  StandIn pct({block("llamacpp.service", "inactive", "indirect", "TriggeredBy=llamacpp.socket\n"),
               block("llamacpp.socket", "inactive", "disabled")});
  const auto units = pct.ask();
  REQUIRE(units);
  CHECK(units->front().started_by.empty());
  CHECK(is_retired(units->front()) == Truth::yes);
}

TEST_CASE("a second question without an answer leaves the whole unanswered, not the unit retired") {
  StandIn pct({block("llamacpp.service", "inactive", "disabled", "TriggeredBy=llamacpp.socket\n"), ""});
  CHECK(!pct.ask());
}

TEST_CASE("no answer is an error that says why, never a stopped unit (two-v620 failure 7)") {
  StandIn pct({""}, 255, "container 120 not running!");
  const auto units = pct.ask();
  REQUIRE(!units);
  CHECK(units.error().message ==
        "cannot ask container 120 about its units: exit status 255: container 120 not running!");
}

TEST_CASE(
    "half an answer with exit status 0 is an error; a whole one with another status is an answer (pct.md "
    "1.9)") {
  StandIn half({"Id=llamacpp.service\nLoadState=loaded\n"});
  CHECK(!half.ask());
  StandIn whole({block("llamacpp.service", "inactive", "disabled")}, 1);
  CHECK(whole.ask());
}

TEST_CASE("a guest whose systemd never answers is given up at the deadline (U08)") {
  StandIn pct({""});
  pct.tree.script("/usr/sbin/pct", "#!/bin/sh\nsleep 1000\n");
  const auto units = pct.ask(50ms);
  REQUIRE(!units);
  CHECK(units.error().message.find("no answer within 0.05 s") != std::string::npos);
}

TEST_CASE("without pct nothing can be asked") {
  Tree tree;
  CHECK(!ask_units(tree.host(), k120, kLlama, 1s));
}

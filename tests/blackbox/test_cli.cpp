// What a person or a script meets when something is not as it should be: exit codes, places, and no trace
// left.
#include <csignal>
#include <filesystem>

#include "blackbox.h"
#include "catch.h"

using namespace interlock::tests;
using nlohmann::json;

namespace {

const std::string kPolicy = "/etc/gpu-interlock/policy.yaml";

/// A sound policy but for what a test puts in.
std::string policy(const std::string& cards,
                   const std::string& containers = "  120: { units: [llamacpp.service] }\n",
                   const std::string& cutover = "    120: { state: running, cards: [gpu1] }\n") {
  return "version: 1\ncards:\n" + cards +
         "guard:\n  channels:\n    junction: { warn: 95, trip: 102, resume: 85 }\n"
         "containers:\n" +
         containers + "cutovers:\n  to-one:\n" + cutover;
}

const std::string kOneCard = "  gpu1: { pci: \"0000:03:00.0\" }\n";

struct Bad {
  std::string what;
  std::string text;
  int line;
  std::string word;  // that the sentence must hold
};

}  // namespace

TEST_CASE("a bad policy exits 2 with file, line and column, and touches nothing") {
  const Bad bad =
      GENERATE(Bad{"an unknown key", policy("  gpu1: { pci: \"0000:03:00.0\", colour: red }\n"), 3, "colour"},
               Bad{"a wrong type", policy("  gpu1: [\"0000:03:00.0\"]\n"), 3, "gpu1"},
               Bad{"a card that two keys name", policy(kOneCard + "  gpu2: { pci: \"0000:03:00.0\" }\n"), 4,
                   "0000:03:00.0"},
               Bad{"a card named twice", policy(kOneCard + "  gpu1: { pci: \"0000:83:00.0\" }\n"), 4, "gpu1"},
               Bad{"an unknown container",
                   policy(kOneCard, "  120: { units: [llamacpp.service] }\n",
                          "    999: { state: stopped, cards: [] }\n"),
                   11, "999"},
               Bad{"an unknown card",
                   policy(kOneCard, "  120: { units: [llamacpp.service] }\n",
                          "    120: { state: running, cards: [gpu7] }\n"),
                   11, "gpu7"},
               Bad{"broken YAML", "version: 1\ncards: { gpu1: [\n", 0, ""});
  INFO(bad.what);
  const MockedHost host;
  host.write(kPolicy, bad.text);
  const auto before = host.everything();

  const Words command =
      GENERATE(Words{"policy", "check"}, Words{"audit"}, Words{"cutover", "to-one", "--yes"});
  const Ran ran = host.cli(command);
  INFO(ran.out << ran.err);
  CHECK(ran.exit == 2);
  const json error = ran.json().at("error");
  CHECK(ran.json().at("schema") == 1);
  CHECK(ran.json().at("exit") == 2);
  CHECK(error.at("file") == host.path(kPolicy));
  REQUIRE(error.at("line").is_number());
  REQUIRE(error.at("column").is_number());
  if (bad.line > 0) CHECK(error.at("line") == bad.line);
  CHECK(error.at("message").get<std::string>().find(bad.word) != std::string::npos);
  const std::string place =
      host.path(kPolicy) + ":" + error.at("line").dump() + ":" + error.at("column").dump() + ": ";
  CHECK(ran.err.starts_with(place));
  CHECK(host.everything() == before);
}

TEST_CASE("a policy without a card, and no policy at all, exit 2") {
  const MockedHost host;
  SECTION("no card") {
    host.write(kPolicy, policy("  {}\n"));
  }
  SECTION("no cards key") {
    host.write(kPolicy, "version: 1\n");
  }
  SECTION("an empty file") {
    host.write(kPolicy, "");
  }
  SECTION("no file") {
    host.remove(kPolicy);
  }
  const Ran ran = host.cli({"policy", "check"});
  CHECK(ran.exit == 2);
  CHECK(ran.json().at("error").at("file") == host.path(kPolicy));
}

TEST_CASE("a policy named by --policy is a file of the caller's: the root is not put before it") {
  const MockedHost host;
  const Ran good =
      host.cli({"--policy", std::string(PROJECT_DIR) + "/policies/two-v620.yaml", "policy", "check"});
  CHECK(good.exit == 0);
  CHECK(good.json().at("cards") == json{"gpu1", "gpu2"});
  const Ran none = host.cli({"--policy", "/nowhere/policy.yaml", "policy", "check"});
  CHECK(none.exit == 2);
  CHECK(none.json().at("error").at("file") == "/nowhere/policy.yaml");
}

TEST_CASE("without a pct every command that needs one exits 7 and leaves no trace") {
  const MockedHost host;
  host.remove("/usr/sbin/pct");
  const auto before = host.everything();
  const Words command = GENERATE(Words{"status"}, Words{"audit"}, Words{"plan", "to-qwen38fn"},
                                 Words{"cutover", "to-qwen38fn", "--yes", "--without-guard"},
                                 Words{"to-qwen38fn", "--yes"}, Words{"cutover", "to-qwen38fn", "--dry-run"});
  const Ran ran = host.cli(command);
  INFO(ran.out << ran.err);
  CHECK(ran.exit == 7);
  CHECK(ran.json().at("exit") == 7);
  CHECK(ran.json().at("error").at("message").get<std::string>().find("pct") != std::string::npos);
  CHECK(host.everything() == before);
}

TEST_CASE("a cutover without a guard is refused, and nothing is touched") {
  const MockedHost host;
  const std::string config = host.read("/etc/pve/lxc/120.conf");
  const Ran ran = host.cli({"cutover", "to-qwen38fn", "--yes"});
  CHECK(ran.exit == 3);
  CHECK(ran.json().at("result") == "refused");
  REQUIRE_FALSE(ran.json().at("unmet").empty());
  CHECK(host.read("/etc/pve/lxc/120.conf") == config);
  CHECK(host.cli({"history"}).json().at("cutovers").empty());
  const Ran plan = host.cli({"plan", "to-qwen38fn"});
  CHECK(plan.exit == 0);  // it could tell
  CHECK(plan.json().at("unmet") == ran.json().at("unmet"));
}

TEST_CASE("what the target says already is unchanged, and asks for nothing") {
  const MockedHost host;
  const Ran ran = host.cli({"cutover", "to-qwen36", "--yes", "--without-guard"});
  INFO(ran.out << ran.err);
  CHECK(ran.exit == 0);
  CHECK(ran.json().at("result") == "unchanged");
  CHECK(ran.json().at("steps").empty());
}

TEST_CASE("a cutover that nobody agreed to does not begin") {
  const MockedHost host;
  const auto before = host.everything();
  const Ran ran = host.cli({"cutover", "to-qwen38fn", "--without-guard"});  // no terminal, no --yes
  CHECK(ran.exit == 2);
  CHECK(ran.json().at("error").at("message").get<std::string>().find("--yes") != std::string::npos);
  CHECK(host.everything() == before);
}

TEST_CASE("a name that is no command and no cutover exits 2, and says which there are") {
  const MockedHost host;
  const Words command = GENERATE(Words{"to-nowhere", "--yes"}, Words{"plan", "to-nowhere"});
  const Ran ran = host.cli(command);
  CHECK(ran.exit == 2);
  const auto message = ran.json().at("error").at("message").get<std::string>();
  CHECK(message.find("to-nowhere") != std::string::npos);
  CHECK(message.find("to-qwen36") != std::string::npos);
}

TEST_CASE("each usage error is one JSON object too") {
  const MockedHost host;
  const Words command =
      GENERATE(Words{}, Words{"status", "--nonsense"}, Words{"plan"}, Words{"reset", "gpu9"},
               Words{"reset", "gpu1", "--force"}, Words{"explain", "no-such-code"}, Words{"shed"},
               Words{"history", "no-such-id"}, Words{"recover", "--accept"}, Words{"gate", "allow", "120"});
  const Ran ran = host.cli(command);
  INFO(ran.out << ran.err);
  CHECK(ran.exit == 2);
  CHECK(ran.json().at("exit") == 2);
  CHECK_FALSE(ran.json().at("error").at("message").get<std::string>().empty());
}

TEST_CASE("while one cutover is at work another is busy, and recovery waits") {
  const MockedHost host;
  // The first pct call that changes something hangs; the cutover stands there.
  const Ran plan = host.cli({"plan", "to-qwen38fn"});
  REQUIRE(plan.exit == 0);
  host.mock("set", {"unit", "120/llamacpp-qwen38fn.service", "load-ms", "3600000"});
  Running first(
      {"gpu-interlock", "--root", host.root(), "cutover", "to-qwen38fn", "--yes", "--without-guard"},
      host.root() + "/../first.log");
  REQUIRE(eventually([&] {
    const auto cutover = host.cli({"status"}).json().at("cutover");
    return cutover.is_object() && cutover.at("state") == "running";
  }));
  const Ran second = host.cli({"cutover", "to-qwen36", "--yes", "--without-guard"});
  CHECK(second.exit == 6);
  CHECK(second.json().at("result") == "busy");
  CHECK(host.cli({"recover", "--yes"}).exit == 6);

  SECTION("killed, it stays open, and is finished by recover") {
    first.signal(SIGKILL);
    REQUIRE(eventually([&] { return first.ended(); }));
    const Ran refused = host.cli({"cutover", "to-qwen36", "--yes", "--without-guard"});
    CHECK(refused.exit == 3);
    CHECK(refused.out.find("recover") != std::string::npos);
    CHECK(host.cli({"recover", "--status"}).json().at("cutover").at("state") == "interrupted");
    const Ran recovered = host.cli({"recover", "--yes"}, std::chrono::seconds(120));
    INFO(recovered.out << recovered.err);
    CHECK(recovered.exit == 0);
    CHECK(host.cli({"recover", "--status"}).json().at("cutover").is_null());
    CHECK(host.cli({"cutover", "to-qwen36", "--yes", "--without-guard"}).json().at("result") == "unchanged");
  }
}

TEST_CASE("a drill tells what a trip would do to who is really there, and touches nothing") {
  const MockedHost host;
  const auto before = host.everything();
  const Ran ran = host.cli({"drill", "gpu1"});
  INFO(ran.out << ran.err);
  CHECK(ran.exit == 0);
  const auto told = ran.json();
  CHECK(told.at("card") == "gpu1");
  CHECK(told.at("sensors").at("junction").at("verdict") == "measured");
  CHECK(told.at("trips").size() == 4);
  for (const auto& trip : told.at("trips")) CHECK(trip.at("after_ms").is_number());
  CHECK(told.at("rungs").at(0).at("rung") == "freeze");
  CHECK(told.at("rungs").at(0).at("subject") == "120/llamacpp.service");
  CHECK(host.everything() == before);
}

TEST_CASE("a drill on a card with a sensor missing says that it is blind (exit 7, two-v620 failure 4)") {
  const MockedHost host;
  host.remove("/sys/devices/pci0000:00/0000:03:00.0/hwmon/hwmon2/temp3_input");
  const Ran ran = host.text({"drill", "gpu1"});
  INFO(ran.out << ran.err);
  CHECK(ran.exit == 7);
  CHECK(ran.err.find("gpu1 is blind on its memory") != std::string::npos);
}

TEST_CASE("each option that a program names in its usage is in its manual") {
  for (const auto& [program, page] : {std::pair("gpu-interlockd", "gpu-interlockd.8"),
                                      std::pair("gpu-interlock-gate", "gpu-interlock-gate.8")}) {
    const Ran ran = run({program, "--no-such-option"});
    CHECK(ran.exit == 2);
    const std::string manual = content_of(std::string(PROJECT_DIR) + "/man/" + page);
    int options = 0;
    for (auto at = ran.err.find("[--"); at != std::string::npos; at = ran.err.find("[--", at + 1)) {
      const std::string name = ran.err.substr(at + 3, ran.err.find_first_of(" ]", at) - at - 3);
      INFO(program << " --" << name);
      CHECK(manual.find("\\-\\-" + name) != std::string::npos);
      ++options;
    }
    CHECK(options > 0);
  }
}

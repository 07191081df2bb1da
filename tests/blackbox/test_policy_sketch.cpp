// A host without a policy, and a person who has never seen one: `policy init` and `policy import` on it.
#include <set>

#include "blackbox.h"
#include "catch.h"

using namespace interlock::tests;
using nlohmann::json;

namespace {

const std::string kPolicy = "/etc/gpu-interlock/policy.yaml";

std::set<std::string> violations(const json& audit) {
  std::set<std::string> found;
  for (const auto& finding : audit.at("findings")) {
    if (finding.at("severity") == "violation")
      found.insert(finding.at("code").get<std::string>() + " " + finding.at("subject").get<std::string>());
  }
  return found;
}

bool remarked(const json& told, const std::string& part) {
  for (const auto& remark : told.at("remarks")) {
    if (remark.at("message").get<std::string>().find(part) != std::string::npos) return true;
  }
  return false;
}

}  // namespace

TEST_CASE("policy init gives a policy that check accepts and whose audit is as clean as the shipped one's") {
  const MockedHost host;
  const auto shipped = violations(host.cli({"audit"}).json());
  host.remove(kPolicy);
  const auto before = host.everything();
  const Ran ran = host.text({"policy", "init"});
  INFO(ran.out << ran.err);
  REQUIRE(ran.exit == 0);
  CHECK(host.everything() == before);

  host.write(kPolicy, ran.out);
  const Ran check = host.cli({"policy", "check"});
  CHECK(check.exit == 0);
  CHECK(check.json().at("cards") == json{"gpu1", "gpu2"});
  CHECK(check.json().at("containers") == json{120, 123});
  CHECK(violations(host.cli({"audit"}).json()) == shipped);
  const auto status = host.cli({"status"}).json();
  CHECK(one_of(status.at("cards"), "id", "gpu1").at("map").at("unit") == "llamacpp.service");
  CHECK(one_of(status.at("cards"), "id", "gpu2").at("map").at("state") == "serving");
}

TEST_CASE("policy init --output makes a new file, and never writes over one") {
  const MockedHost host;
  const std::string shipped = host.read(kPolicy);
  const Ran refused = host.cli({"policy", "init", "--output", host.path(kPolicy)});
  CHECK(refused.exit == 2);
  CHECK(refused.json().at("error").at("message").get<std::string>().find("is there already") !=
        std::string::npos);
  CHECK(host.read(kPolicy) == shipped);

  const Ran made = host.text({"policy", "init", "--output", host.path("/etc/gpu-interlock/first.yaml")});
  CHECK(made.exit == 0);
  CHECK(made.out.find("it guards 2 cards and knows 2 containers") != std::string::npos);
  CHECK(host.read("/etc/gpu-interlock/first.yaml").find("0000:83:00.0") != std::string::npos);
  CHECK(host.cli({"--policy", host.path("/etc/gpu-interlock/first.yaml"), "policy", "check"}).exit == 0);
}

TEST_CASE("policy init --output into a folder that is not there names the folder, and how to make it") {
  const MockedHost host;
  const Ran ran = host.cli({"policy", "init", "--output", host.path("/etc/nowhere/first.yaml")});
  CHECK(ran.exit == 2);
  const auto message = ran.json().at("error").at("message").get<std::string>();
  INFO(message);
  CHECK(message.ends_with("there is no folder " + host.path("/etc/nowhere") + "; make it first: mkdir -p " +
                          host.path("/etc/nowhere")));
  CHECK(message.find(".tmp.") == std::string::npos);
}

TEST_CASE("what cannot be read of a card is said, and never guessed in silence") {
  const MockedHost host;
  host.remove("/sys/devices/pci0000:00/0000:03:00.0/hwmon/hwmon2/temp2_emergency");
  host.remove("/sys/devices/pci0000:00/0000:83:00.0/unique_id");
  const Ran ran = host.cli({"policy", "init"});
  CHECK(ran.exit == 0);
  CHECK(remarked(ran.json(), "the emergency limit of junction of gpu1 could not be read"));
  CHECK(remarked(ran.json(), "gpu2 gives no unique_id"));
  CHECK(ran.err.find("gpu2 gives no unique_id") != std::string::npos);
}

TEST_CASE("without any card policy init exits 7 with a sentence") {
  const MockedHost host;
  for (const char* card : {"0000:03:00.0", "0000:83:00.0"})
    host.remove(std::string("/sys/bus/pci/devices/") + card);
  const Ran ran = host.cli({"policy", "init"});
  CHECK(ran.exit == 7);
  CHECK(ran.json().at("error").at("message").get<std::string>().find("no card") != std::string::npos);
}

TEST_CASE("policy import takes two-v620's watchdog over, and finds its dead service (two-v620 failure 1)") {
  const MockedHost host;
  const auto shipped = violations(host.cli({"audit"}).json());
  const std::string file = host.path("/etc/gpu-watchdog.env");
  host.write("/etc/gpu-watchdog.env",
             "# temperatures\n"
             "GPU_PCI_ADDRESS=\"0000:03:00.0 0000:0c:00.0\"\n"
             "TRIP_JUNCTION_C=102\nTRIP_MEM_C=hot\nRESUME_C=85\nPOLL_SECS=2\n"
             "GPU_SERVICE_MAP=0000:03:00.0=120:llamacpp.service,0000:83:00.0=123:llamacpp-qwen36.service\n"
             "AUTO_RESUME=0\nWATCHDOG_ACTION=stop\nFAN=80\n");
  const auto before = host.everything();
  const Ran ran = host.cli({"policy", "import", file});
  INFO(ran.out << ran.err);
  REQUIRE(ran.exit == 0);
  const json told = ran.json();
  CHECK(remarked(told, "there is no llamacpp-qwen36.service of container 123"));
  CHECK(remarked(told, "0000:0c:00.0 is not in this machine"));
  CHECK(remarked(told, "'hot' is no whole number"));
  CHECK(remarked(told, "FAN is no key"));
  CHECK(ran.err.find(file + ":4:1: TRIP_MEM_C: 'hot' is no whole number") != std::string::npos);

  host.write(kPolicy, host.text({"policy", "import", file}).out);
  CHECK(host.cli({"policy", "check"}).exit == 0);
  CHECK(violations(host.cli({"audit"}).json()) == shipped);
}

TEST_CASE("a file that names no card of this machine, and no file at all, exit 2") {
  const MockedHost host;
  const std::string file = host.path("/etc/gpu-watchdog.env");
  host.write("/etc/gpu-watchdog.env", GENERATE(std::string(), std::string("TRIP_JUNCTION_C=102\n"),
                                               std::string("GPU_PCI_ADDRESS=0000:0c:00.0\n")));
  const Ran ran = host.cli({"policy", "import", file});
  CHECK(ran.exit == 2);
  CHECK(ran.json().at("error").at("file") == file);
  CHECK(host.cli({"policy", "import", "/nowhere/watchdog.env"}).exit == 2);
  CHECK(host.cli({"policy", "import"}).exit == 2);
}

TEST_CASE("policy check holds the policy against the host, and with --offline looks at no host") {
  const MockedHost host;
  CHECK(host.cli({"policy", "check"}).exit == 0);
  std::string elsewhere = host.read(kPolicy);
  elsewhere.replace(elsewhere.find("0000:83:00.0"), 12, "0000:c3:00.0");
  host.write(kPolicy, elsewhere);
  const Ran wrong = host.cli({"policy", "check"});
  INFO(wrong.out << wrong.err);
  CHECK(wrong.exit == 1);
  CHECK(one_of(wrong.json().at("findings"), "code", "card-missing").at("subject") == "gpu2");
  CHECK(host.cli({"policy", "check", "--offline"}).exit == 0);

  host.remove("/etc/pve");
  const Ran unseen = host.cli({"policy", "check"});
  CHECK(unseen.exit == 7);
  CHECK(unseen.json().at("error").at("message").get<std::string>().find("--offline") != std::string::npos);
  CHECK(host.cli({"policy", "check", "--offline"}).exit == 0);
}

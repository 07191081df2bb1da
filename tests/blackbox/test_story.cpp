// The demo's story (tests/demo/story.sh), each command's exit code and JSON asserted.
#include "catch.h"
#include "cutover_bench.h"

using namespace interlock::tests;
using nlohmann::json;

namespace {

const std::string kGpu1 = "0000:03:00.0";
const std::string kGpu2 = "0000:83:00.0";

json card(const MockedHost& host, const std::string& id) {
  return one_of(host.cli({"status"}).json().at("cards"), "id", id);
}

json container(const MockedHost& host, int vmid) {
  return one_of(host.cli({"status"}).json().at("containers"), "vmid", vmid);
}

void check_clean(const MockedHost& host) {
  const Ran audit = host.cli({"audit"});
  INFO(audit.out);
  CHECK(audit.exit == 0);
  CHECK(audit.json().at("schema") == 1);
  CHECK(audit.json().at("unknown").empty());
  for (const auto& finding : audit.json().at("findings")) CHECK(finding.at("severity") != "violation");
}

void check_serving(const MockedHost& host, const std::string& id, int vmid, const std::string& unit) {
  const json seen = card(host, id);
  INFO(seen.dump(2));
  CHECK(seen.at("state") == "guarding");
  CHECK(seen.at("map").at("state") == "serving");
  CHECK(seen.at("map").at("container") == vmid);
  CHECK(seen.at("map").at("unit") == unit);
  REQUIRE_FALSE(seen.at("holders").empty());
  CHECK(seen.at("holders").at(0).at("container") == vmid);
  CHECK(seen.at("holders").at(0).at("unit") == unit);
  CHECK(seen.at("holders").at(0).at("idle") == false);
  CHECK(seen.at("holders").at(0).at("vram_bytes") > 64 * 1024 * 1024);
  CHECK(seen.at("channels").at("junction").at("verdict") == "measured");
  CHECK(seen.at("channels").at("memory").at("celsius").is_number());
  CHECK(seen.at("channels").at("junction").at("age_ms") < 5000);
}

/// The mock's own judgement: no breach of I1 or I2 at any moment.
void check_never_broken(const MockedHost& host) {
  const std::string log = host.mock("log").out;
  INFO(log);
  CHECK(log.find(", 0 broken invariants") != std::string::npos);
}

}  // namespace

TEST_CASE("the demo's story: forward, a reboot, a trip, a reset and back") {
  const MockedHost host;
  const std::string config_120 = host.read("/etc/pve/lxc/120.conf");
  const std::string config_121 = host.read("/etc/pve/lxc/121.conf");
  const std::string config_123 = host.read("/etc/pve/lxc/123.conf");
  // The mocked kernel while no pct runs: engine times grow, and cgroup.freeze and cgroup.kill act.
  const Running kernel({"mock-host", "serve", host.root(), "--for", "600"}, host.root() + "/../kernel.log");
  auto guard = host.guard();

  // status
  const Ran status = host.cli({"status"});
  CHECK(status.exit == 0);
  CHECK(status.json().at("schema") == 1);
  CHECK(status.json().at("guard") == json{{"running", true}, {"fresh", true}});
  CHECK(status.json().at("cutover").is_null());
  CHECK(card(host, "gpu1").at("pci") == kGpu1);
  check_serving(host, "gpu1", 120, "llamacpp.service");
  check_serving(host, "gpu2", 123, "llamacpp-qwen38fn.service");
  CHECK(host.text({"status"}).out.find("\x1b") == std::string::npos);  // colour only on a terminal

  // plan
  const Ran plan = host.cli({"plan", "to-qwen38fn"});
  CHECK(plan.exit == 0);
  CHECK(plan.json().at("unmet") == json::array());
  CHECK(plan.json().at("proof").at("holds") == true);
  CHECK(plan.json().at("proof").at("states") > 1);
  CHECK(plan.json().at("proof").at("boots") > 1);
  CHECK(plan.json().at("proof").at("ways_back") > 1);
  REQUIRE(plan.json().at("steps").size() > 5);
  for (const auto& step : plan.json().at("steps")) {
    for (const auto* key : {"id", "kind", "subject", "text"}) CHECK(step.contains(key));
  }
  CHECK(host.read("/etc/pve/lxc/120.conf") == config_120);  // a plan changes nothing

  // cutover
  const Ran forward = host.cli({"cutover", "to-qwen38fn", "--yes"});
  INFO(forward.out << forward.err);
  REQUIRE(forward.exit == 0);
  CHECK(forward.json().at("result") == "done");
  CHECK(forward.json().at("unmet").empty());
  for (const auto& step : forward.json().at("steps")) CHECK(step.at("done") == true);
  check_serving(host, "gpu1", 120, "llamacpp-qwen38fn.service");
  check_serving(host, "gpu2", 120, "llamacpp-qwen38fn.service");
  const auto released = [&] {
    const json seen = container(host, 123);
    return seen.at("state") == "stopped" && seen.at("autostart") == false && seen.at("cards").empty();
  };
  CHECK(released());
  check_clean(host);

  // once more: already so
  const Ran again = host.cli({"to-qwen38fn", "--yes"});
  CHECK(again.exit == 0);
  CHECK(again.json().at("result") == "unchanged");

  // a reboot of the host
  guard->end();
  host.mock("boot");
  guard = host.guard();
  CHECK(released());
  check_serving(host, "gpu1", 120, "llamacpp-qwen38fn.service");
  check_clean(host);

  // a trip
  host.mock("heat", {"gpu1", "103", "90"});
  REQUIRE(eventually([&] { return card(host, "gpu1").at("state") == "latched"; }));
  const json tripped = card(host, "gpu1");
  INFO(tripped.dump(2));
  CHECK(tripped.at("holders").empty());
  CHECK(tripped.at("reason").get<std::string>().find("103") != std::string::npos);
  CHECK(tripped.at("map").at("state") != "serving");
  const Ran refused = host.cli({"reset", "gpu1"});
  CHECK(refused.exit == 3);
  CHECK(refused.json().at("exit") == 3);
  CHECK_FALSE(refused.json().at("error").at("message").get<std::string>().empty());
  const Ran no_start = host.cli({"cutover", "to-qwen36", "--yes"});
  CHECK(no_start.exit == 3);  // nothing is started on a latched card
  CHECK(no_start.json().at("result") == "refused");
  CHECK_FALSE(no_start.json().at("unmet").empty());

  // cooled and reset
  host.mock("heat", {"gpu1", "60", "58"});
  REQUIRE(eventually([&] { return host.cli({"reset", "gpu1"}).exit == 0; }));
  REQUIRE(eventually([&] { return card(host, "gpu1").at("state") == "guarding"; }));

  // back
  const Ran back = host.cli({"cutover", "to-qwen36", "--yes"});
  INFO(back.out << back.err);
  REQUIRE(back.exit == 0);
  CHECK(back.json().at("result") == "done");
  check_serving(host, "gpu1", 120, "llamacpp.service");
  check_serving(host, "gpu2", 123, "llamacpp-qwen38fn.service");
  check_clean(host);

  // The bystander was never touched, and of the others no byte that is not ours.
  CHECK(host.read("/etc/pve/lxc/121.conf") == config_121);
  CHECK(not_ours(host.read("/etc/pve/lxc/120.conf")) == not_ours(config_120));
  CHECK(not_ours(host.read("/etc/pve/lxc/123.conf")) == not_ours(config_123));
  CHECK(container(host, 123).at("autostart") == true);  // given back as it was found
  check_never_broken(host);

  // history
  const Ran history = host.cli({"history"});
  CHECK(history.exit == 0);
  CHECK(history.json().at("cutovers").size() == 2);
  for (const auto& cutover : history.json().at("cutovers")) CHECK(cutover.at("result") == "done");
  const Ran record = host.cli({"history", history.json().at("cutovers").at(0).at("id")});
  CHECK(record.exit == 0);
  CHECK(record.json().at("records").size() > 2);
  CHECK(host.cli({"recover"}).json().at("result") == "unchanged");
  guard->end();
}

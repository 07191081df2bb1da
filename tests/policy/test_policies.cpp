// The policies that we ship: people copy them, so each must load, and mean what its comments say.
#include <filesystem>
#include <fstream>
#include <sstream>

#include "catch.h"
#include "policy/load.h"

using namespace interlock;

namespace {

std::string file_text(const std::filesystem::path& path) {
  std::ifstream file(path);
  REQUIRE(file);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

Policy loaded(const std::string& name) {
  const auto policy = load_policy(file_text(std::filesystem::path(PROJECT_DIR) / "policies" / name), name);
  if (!policy) FAIL(policy.error().front().text());
  return *policy;
}

Vmid vmid(const char* text) {
  return *Vmid::parse(text);
}
PciAddress pci(const char* text) {
  return *PciAddress::parse(text);
}
UnitName unit(const char* text) {
  return *UnitName::parse(text);
}

}  // namespace

TEST_CASE("every shipped policy loads") {
  int count = 0;
  for (const auto& entry :
       std::filesystem::directory_iterator(std::filesystem::path(PROJECT_DIR) / "policies")) {
    if (entry.path().extension() != ".yaml") continue;
    static_cast<void>(loaded(entry.path().filename()));  // the test is that it loads
    ++count;
  }
  CHECK(count >= 1);
}

TEST_CASE("two-v620 trips between the card's own throttling and the driver's reset") {
  const Policy policy = loaded("two-v620.yaml");
  REQUIRE(policy.cards.size() == 2);
  CHECK(policy.card_name(pci("0000:03:00.0")) == "gpu1");
  CHECK(policy.card_name(pci("0000:83:00.0")) == "gpu2");
  CHECK(policy.guard.limits(Channel::junction)->trip == Celsius::from_degrees(102));
  CHECK(policy.guard.limits(Channel::memory)->trip == Celsius::from_degrees(101));
  CHECK(policy.guard.latch == LatchMode::until_reset);
}

TEST_CASE(
    "two-v620 forward gives both cards to the new unit, not to the one it retires (two-v620 failure 2)") {
  const Policy policy = loaded("two-v620.yaml");
  const Target target = policy.cutovers.at("to-qwen38fn").target();
  const Want& large = target.wants.at(vmid("120"));
  CHECK(target.name == "to-qwen38fn");
  CHECK(large.serve == unit("llamacpp-qwen38fn.service"));
  CHECK(large.cards == std::set{pci("0000:03:00.0"), pci("0000:83:00.0")});
  CHECK(large.settings == Settings{{"cores", "48"}, {"memory", "163840"}, {"swap", "0"}});
  CHECK(target.wants.at(vmid("123")).state == RunState::stopped);
  CHECK(target.wants.at(vmid("123")).cards == std::set<PciAddress>{});
  CHECK_FALSE(target.wants.at(vmid("123")).keep_binding);
}

TEST_CASE("two-v620 never names container 121, the bystander") {
  const Policy policy = loaded("two-v620.yaml");
  CHECK(policy.containers.size() == 2);
  for (const auto& [name, cutover] : policy.cutovers) CHECK_FALSE(cutover.containers.contains(vmid("121")));
}

TEST_CASE("two-v620 refuses a half-downloaded model before anything is touched") {
  const Policy policy = loaded("two-v620.yaml");
  const CutoverContainer& container = policy.cutovers.at("to-qwen38fn").containers.at(vmid("120"));
  REQUIRE(container.requires_.size() == 2);
  CHECK(container.requires_[0].file == "/etc/llamacpp-qwen38fn.env");
  CHECK(container.requires_[1].command == Argv{"/usr/local/bin/qwen38fn-verify"});
  REQUIRE(container.healthy.size() == 1);
  CHECK(container.healthy[0].within == std::chrono::minutes(20));
}

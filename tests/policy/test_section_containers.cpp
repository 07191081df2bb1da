#include "policy_text.h"

using namespace interlock;
using namespace interlock::test;

namespace {
std::string container(std::string_view text) {
  return changed("{ units: [large.service] }", text);
}
const PolicyContainer& container_123(const Policy& policy) {
  return policy.containers.at(*Vmid::parse("123"));
}
}  // namespace

TEST_CASE("a container has units, a way of binding and perhaps a measured headroom") {
  const Policy policy =
      policy_of(container("{ units: [large.service, b@renderD128.service], bind: dev, vram_minimum: 512 }"));
  CHECK(container_123(policy).units ==
        std::vector{*UnitName::parse("large.service"), *UnitName::parse("b@renderD128.service")});
  CHECK(container_123(policy).bind == BindStyle::device);
  CHECK(container_123(policy).vram_minimum_mib == 512);
}

TEST_CASE("mount-entry is how cards are bound where nothing is said; units may be none") {
  std::string text = container("{}");
  text.erase(text.find("cutovers:"));
  const Policy policy = policy_of(text);
  CHECK(container_123(policy).bind == BindStyle::mount_entry);
  CHECK(container_123(policy).units.empty());
  CHECK_FALSE(container_123(policy).vram_minimum_mib);
}

TEST_CASE("a container is named by its VMID") {
  for (const char* key : {"99", "llama", "0123", "1e3", "1000000000"}) {
    const std::string error =
        error_of(changed("  123: { units", std::string("  ") + key + ": {}\n  123: { units"));
    INFO(error);
    CHECK(error.find("a container is named by its VMID, a whole number from 100 to 999999999") !=
          std::string::npos);
  }
}

TEST_CASE("a unit is a service with its suffix, since only that can serve") {
  CHECK(error_of(container("{ units: [large.service, llamacpp] }")) ==
        "11:33: containers.123.units[2]: 'llamacpp' is no service; write its name with the suffix, as in "
        "llamacpp.service");
  CHECK(errors_of(container("{ units: [large.service, llama.timer] }")).size() == 1);
  CHECK(errors_of(container("{ units: [large.service, ../x.service] }")).size() == 1);
  CHECK(error_of(container("{ units: [large.service, llama@.service] }"))
            .ends_with("and of a template an instance"));
}

TEST_CASE("a unit is declared once") {
  CHECK(error_of(container("{ units: [large.service, large.service] }")) ==
        "11:33: containers.123.units[2]: large.service is in the list already");
}

TEST_CASE("vram_minimum is a number of MiB") {
  CHECK(error_of(container("{ units: [large.service], vram_minimum: 0 }")) ==
        "11:48: containers.123.vram_minimum: 0 is out of range; from 1 to 1048576 can be");
  CHECK(errors_of(container("{ units: [large.service], vram_minimum: 512MB }")).size() == 1);
}

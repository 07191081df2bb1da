// The gate's edge on a whole mocked host: what it looks at, what it leaves behind, and that it needs no
// daemon and no pct.
#include <fstream>

#include "act/gate_file.h"
#include "act/ledger_file.h"
#include "catch.h"
#include "cli/gate.h"
#include "host/paths.h"
#include "mocks/mock_host.h"
#include "mocks/two_v620.h"

using namespace interlock;
using namespace std::chrono_literals;

namespace {

const auto kGpu1 = PciAddress::parse("0000:03:00.0").value();
const auto kGpu2 = PciAddress::parse("0000:83:00.0").value();
const auto k120 = Vmid::parse("120").value();
const auto k121 = Vmid::parse("121").value();
const auto k123 = Vmid::parse("123").value();
const std::string kConfig120 = "/etc/pve/lxc/120.conf";
const std::string kBindGpu2 =
    "lxc.mount.entry: /dev/dri/by-path/pci-0000:83:00.0-render dev/dri/renderD128 none "
    "bind,optional,create=file\n";

std::string shipped_policy() {
  std::ifstream in(std::string(PROJECT_DIR) + "/policies/two-v620.yaml");
  return {std::istreambuf_iterator<char>(in), {}};
}

struct GatedHost {
  mocks::MockHost host{mocks::two_v620()};
  GatedHost() { host.poke(paths::kPolicy, shipped_policy()); }

  std::vector<std::string> refusals(Vmid vmid, bool by_unit = true) {
    return cli::pass_gate(host, vmid, by_unit).reasons;
  }
  void add_to_120(const std::string& line) { host.poke(kConfig120, host.peek(kConfig120).value() + line); }
  std::string boot_id() { return host.peek(paths::kBootId).value().substr(0, 36); }
};

bool mention(const std::vector<std::string>& sentences, const std::string& word) {
  for (const std::string& sentence : sentences) {
    if (sentence.find(word) != std::string::npos) return true;
  }
  return false;
}

}  // namespace

TEST_CASE("each container of a sound host may start with its own card, and leaves a claim") {
  GatedHost gated;
  CHECK(gated.refusals(k120).empty());
  const auto claim = parse_claim(gated.host.peek(paths::claim(k120)).value()).value();
  CHECK(claim.cards == std::set{kGpu1});
  CHECK(claim.boot_id == gated.boot_id());
  CHECK(claim.by_unit);
  CHECK(gated.refusals(k123).empty());
}

TEST_CASE("a container without a card is let through without a lock, a claim or a look at the ledger") {
  GatedHost gated;
  gated.host.poke(paths::kLedger, "no ledger at all");
  CHECK(gated.refusals(k121).empty());
  CHECK_FALSE(gated.host.peek(paths::claim(k121)));
  CHECK_FALSE(gated.host.peek(paths::kGateLock));
}

TEST_CASE("a card that another container runs with is not given a second time (two-v620 failure 3)") {
  GatedHost gated;
  gated.add_to_120(kBindGpu2);
  const auto refused = gated.refusals(k120);
  REQUIRE_FALSE(refused.empty());
  CHECK(mention(refused, "container 123"));
  CHECK(mention(refused, "gpu2"));
  CHECK_FALSE(gated.host.peek(paths::claim(k120)));
}

TEST_CASE(
    "the configuration that Proxmox generated counts too: lxc-start uses it as it is (pct.md, section 2)") {
  GatedHost gated;
  gated.host.poke(paths::generated_config(k121),
                  "lxc.mount.entry = /dev/dri/by-path/pci-0000:83:00.0-render dev/dri/renderD128 none "
                  "bind,create=file\n");
  CHECK(mention(gated.refusals(k121), "gpu2"));
}

TEST_CASE("the ledger says whose a card is, also when nobody runs with it") {
  GatedHost gated;
  REQUIRE(act::write_ledger(gated.host, {{kGpu1, Owner::of(k123)}, {kGpu2, Owner::of(k123)}}));
  CHECK(mention(gated.refusals(k120), "container 123"));
  CHECK(gated.refusals(k123).empty());
  REQUIRE(act::write_ledger(gated.host, {{kGpu1, Owner::held_by("some-cutover")}}));
  CHECK(mention(gated.refusals(k120), "some-cutover"));
}

TEST_CASE("an unreadable ledger stops a container with a card, and says how to mend it") {
  GatedHost gated;
  gated.host.poke(paths::kLedger, "no ledger at all");
  CHECK(mention(gated.refusals(k120), "gpu-interlock ledger rebuild"));
}

TEST_CASE("a broken policy does not open the gate: the last good one judges (11.3)") {
  GatedHost gated;
  REQUIRE(act::write_ledger(gated.host, {{kGpu1, Owner::of(k123)}}));
  gated.host.poke(paths::kPolicy, "version: 1\ncards: [\n");
  gated.host.poke(paths::kKeptPolicy, shipped_policy());
  CHECK_FALSE(gated.refusals(k120).empty());
}

TEST_CASE("where there never was a policy every start is allowed") {
  mocks::MockHost host{mocks::two_v620()};
  CHECK(cli::pass_gate(host, k120, true).reasons.empty());
}

TEST_CASE("a person's word lets one start through, is recorded, and is used up") {
  GatedHost gated;
  REQUIRE(act::write_ledger(gated.host, {{kGpu1, Owner::of(k123)}}));
  REQUIRE(act::give_allowance(gated.host,
                              {k120, "the model must answer tonight", gated.boot_id(), gated.host.now()}));
  CHECK(gated.host.peek(paths::kRecord).value().find("the model must answer tonight") != std::string::npos);

  const auto first = cli::pass_gate(gated.host, k120, true);
  CHECK(first.reasons.empty());
  CHECK(mention(first.remarks, "the model must answer tonight"));
  CHECK_FALSE(gated.host.peek(paths::allowance(k120)));
  // The same start comes by once more, from lxc's hook.
  CHECK(gated.refusals(k120, false).empty());
  gated.host.wait(61s);
  CHECK_FALSE(gated.refusals(k120).empty());
}

TEST_CASE("what cannot be read of a container with a card is a refusal, not a start") {
  GatedHost gated;
  gated.host.poke(std::string(paths::kClaims) + "/123", "no claim at all");
  CHECK_FALSE(gated.refusals(k120).empty());
}

#include "catch.h"
#include "observe/host_state.h"
#include "observe/policy_fixture.h"
#include "observe/process_fixture.h"

using namespace interlock;
using namespace interlock::observe;
using namespace interlock::tests;

namespace {

struct OneHost {
  Tree tree;
  Policy policy = two_v620_policy();
  OneHost() { write_host(tree); }
  HostState look(const LookFor& wanted = {}) {
    auto state = observe::look(tree.host(), policy, wanted);
    REQUIRE(state);
    return *std::move(state);
  }
};

}  // namespace

TEST_CASE("one look at the host of hosts/two-v620 gives it whole, and nothing is left untold") {
  OneHost host;
  write_running(host.tree, "120");
  write_process(host.tree, 4711, "llama-server", "/lxc/120/ns/system.slice/llamacpp.service");
  write_fd(host.tree, 4711, 7, "/dev/dri/renderD129", drm_fdinfo(kGpu1, 5, 26'600'000));
  host.tree.script(
      "/usr/sbin/pct",
      "#!/bin/sh\nfor u in llamacpp llamacpp-qwen38fn; do printf 'Id=%s.service\\nLoadState=loaded\\n"
      "ActiveState=inactive\\nSubState=dead\\nUnitFileState=disabled\\nNRestarts=0\\n\\n' $u; done\n");
  const HostState state = host.look();
  CHECK(state.cannot_tell.empty());
  CHECK(state.boot_id == "6d1f7a5e-8a43-4f0e-9d52-0f8f9b0e7c11");
  CHECK(state.node == "pve");
  CHECK(state.pve_mounted == Truth::yes);
  CHECK(state.quorate == Truth::yes);
  CHECK(state.backup_running == Truth::no);
  REQUIRE(state.cards.size() == 2);
  CHECK(state.cards[0].sample);
  REQUIRE(state.cards[0].holders.size() == 1);
  CHECK(state.cards[0].holders[0].process.pid == 4711);
  CHECK(state.cards[1].holders.empty());
  REQUIRE(state.containers.size() == 1);
  CHECK(state.containers[0].units_answer == UnitsAnswer::answered);
  CHECK(state.containers[0].units.size() == 2);
  CHECK(state.ledger == Ledger{});
  CHECK(!state.cutover);
}

TEST_CASE("only what was wanted is asked") {
  OneHost host;
  write_running(host.tree, "120");
  write_process(host.tree, 900, "Xorg", "/system.slice/x.service");
  write_fd(host.tree, 900, 7, "/dev/dri/card1", drm_fdinfo(kGpu1, 5, 1));
  const HostState state = host.look({.units = false, .all_holders = false, .samples = false});
  CHECK(!state.cards[0].sample);
  CHECK(state.cards[0].holders.empty());
  CHECK(state.containers[0].units_answer == UnitsAnswer::not_asked);
}

TEST_CASE("without containers' folder or boot id nothing can be decided (exit 7)") {
  OneHost host;
  host.tree.remove("/etc/pve/lxc");
  const auto no_folder = look(host.tree.host(), host.policy);
  REQUIRE(!no_folder);
  CHECK(no_folder.error().message.find("/etc/pve/lxc") != std::string::npos);
  OneHost other;
  other.tree.remove("/proc/sys/kernel/random/boot_id");
  CHECK(!look(other.tree.host(), other.policy));
}

TEST_CASE("an /etc/pve that is only a folder is not mounted (pct.md, section 3)") {
  OneHost host;
  host.tree.remove("/etc/pve/local");
  CHECK(host.look().pve_mounted == Truth::no);
  CHECK(host.look().quorate == Truth::unknown);
  CHECK(host.look().node.empty());
  host.tree.folder("/etc/pve/local");
  CHECK(host.look().pve_mounted == Truth::no);
}

TEST_CASE("a backup at work is seen by its lock") {
  OneHost host;
  const auto lock = host.tree.host().lock(paths::kBackupLock, Duration::zero());
  REQUIRE(lock);
  CHECK(host.look().backup_running == Truth::yes);
}

TEST_CASE("a configuration that cannot be read stays among the others, as one that may have any card") {
  OneHost host;
  host.tree.folder("/etc/pve/nodes/pve/lxc/123.conf");
  const HostState state = host.look({.units = false});
  REQUIRE(state.container(k123) != nullptr);
  CHECK(state.container(k123)->unprovable.size() == 1);
  CHECK(state.cannot_tell.size() == 1);
}

TEST_CASE("a lean look finds holders in containers that bind a card, declared or not") {
  OneHost host;
  write_config(host.tree, k121, "unprivileged: 1\ndev0: /dev/dri/renderD128\n");
  write_process(host.tree, 4711, "llama-bench", "/lxc/121/ns/.lxc");
  write_fd(host.tree, 4711, 7, "/dev/dri/renderD128", drm_fdinfo(kGpu2, 5, 1));
  CHECK(host.look({.units = false, .all_holders = false}).cards[1].holders.size() == 1);
}

TEST_CASE("one container is looked at freshly, with its units if wished") {
  OneHost host;
  const auto seen = look_at_container(host.tree.host(), host.policy, k120, true);
  REQUIRE(seen);
  CHECK(seen->running == RunState::stopped);
  CHECK(seen->units_answer == UnitsAnswer::not_running);
  CHECK(look_at_container(host.tree.host(), host.policy, k120, false)->units_answer ==
        UnitsAnswer::not_asked);
  CHECK(is_missing(look_at_container(host.tree.host(), host.policy, k123, false).error()));
}

TEST_CASE("pct is there, or it is said what is missing") {
  OneHost host;
  const auto missing = pct_present(host.tree.host());
  REQUIRE(!missing);
  CHECK(missing.error().message.find("/usr/sbin/pct") != std::string::npos);
  host.tree.script("/usr/sbin/pct", "#!/bin/sh\n");
  CHECK(pct_present(host.tree.host()));
}

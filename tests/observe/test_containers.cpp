#include "base/digest.h"
#include "catch.h"
#include "model/state_text.h"
#include "observe/containers.h"
#include "observe/policy_fixture.h"

using namespace interlock;
using namespace interlock::observe;
using namespace interlock::tests;

namespace {

struct Looked {
  Container container;
  std::vector<std::string> cannot_tell;
};

struct OneHost {
  Tree tree;
  OneHost() { write_host(tree); }

  Looked look(Vmid vmid) {
    std::vector<std::string> cannot_tell;
    const ContainerContext context = container_context(tree.host(), cannot_tell);
    auto container = read_container(tree.host(), context, vmid, cannot_tell);
    REQUIRE(container);
    return {*std::move(container), std::move(cannot_tell)};
  }
  Container of(const std::string& config) {
    write_config(tree, k120, config);
    return look(k120).container;
  }
};

}  // namespace

TEST_CASE("container 120 of hosts/two-v620 is read whole") {
  OneHost host;
  write_running(host.tree, "120 121");
  const auto [container, cannot_tell] = host.look(k120);
  CHECK(cannot_tell.empty());
  CHECK(container.name == "llamacpp");
  CHECK(container.config == kConfig120);
  CHECK(container.digest == sha1_hex(kConfig120));
  CHECK(container.running == RunState::running);
  CHECK(container.settings.at("memory") == "16384");
  CHECK(!container.settings.contains("lxc.mount.entry"));
  CHECK(container.autostart.onboot);
  CHECK(!container.autostart.ha_state);
  CHECK(container.lock.empty());
  CHECK(!container.is_template);
  CHECK(!container.unprivileged);
  CHECK(container.bindings.size() == 2);
  CHECK(container.cards() == std::set<PciAddress>{kGpu1});
  CHECK(container.can_hold(kGpu1));
  CHECK(container.units_answer == UnitsAnswer::not_asked);
}

TEST_CASE("containers are those with a VMID for a name, in their order") {
  OneHost host;
  write_config(host.tree, k123, "hostname: b\n");
  host.tree.file("/etc/pve/nodes/pve/lxc/1000.conf", "").file("/etc/pve/nodes/pve/lxc/120.conf.tmp.4711", "");
  host.tree.file("/etc/pve/nodes/pve/lxc/notes.conf", "").file("/etc/pve/nodes/pve/lxc/0120.conf", "");
  CHECK(list_containers(host.tree.host()) == std::vector{k120, k123, *Vmid::parse("1000")});
  Tree empty;
  CHECK(!list_containers(empty.host()));
}

TEST_CASE("a socket table that cannot be read means unknown, never stopped") {
  OneHost host;
  host.tree.remove("/proc/net/unix");
  const auto [container, cannot_tell] = host.look(k120);
  CHECK(container.running == RunState::unknown);
  CHECK(cannot_tell.size() == 1);
  CHECK(container.can_hold(kGpu1));
}

TEST_CASE("what would start a container is read from each place (pct.md, section 5; B17, B20)") {
  OneHost host;
  CHECK(!host.of("hostname: x\n").autostart.any());
  CHECK(!host.of("onboot: No\n").autostart.any());
  CHECK(host.of("onboot: maybe\n").autostart.onboot);
  CHECK(host.of("onboot: 0\nlxc.start.auto: 1\n").autostart.lxc_start_auto);
  host.tree.file("/etc/pve/ha/resources.cfg", "ct: 120\n\tstate started\n\nvm: 200\n\tstate started\n");
  CHECK(host.of("hostname: x\n").autostart.ha_state == "started");
  host.tree.file("/etc/pve/ha/resources.cfg", "ct: 120\n\tstate ignored\n");
  CHECK(!host.of("hostname: x\n").autostart.ha_state);
}

TEST_CASE("high availability that cannot be read may manage everybody") {
  OneHost host;
  host.tree.file("/etc/pve/ha/resources.cfg", "what is this\n");
  const auto [container, cannot_tell] = host.look(k120);
  CHECK(container.autostart.ha_state == "unknown");
  CHECK(cannot_tell.size() == 1);
}

TEST_CASE("lock, template and pending keys are read; what is not there is not set") {
  OneHost host;
  const Container container =
      host.of("lock: backup\ntemplate: 1\nunprivileged: 1\n\n[pve:pending]\ndelete: dev0,swap\nmemory: 1\n");
  CHECK(container.lock == "backup");
  CHECK(container.is_template);
  CHECK(container.unprivileged);
  CHECK(std::set<std::string>(container.pending.begin(), container.pending.end()) ==
        std::set<std::string>{"dev0", "swap", "memory"});
  CHECK(!host.of("template: 0\n").is_template);
  CHECK(!host.of("hostname: x\n").is_template);
}

TEST_CASE("a hook or an include that cannot be read is named as unprovable (pct.md 6.E)") {
  OneHost host;
  CHECK(host.of("hookscript: local:snippets/fix-usb.sh\n").unprovable.size() == 1);
  CHECK(!host.of("lxc.include: /etc/lxc/none.conf\n").unprovable.empty());
}

TEST_CASE("an included file's bindings count") {
  OneHost host;
  host.tree.file("/etc/lxc/gpu.conf",
                 "lxc.mount.entry = /dev/dri/renderD128 dev/dri/renderD128 none bind 0 0\n");
  const Container container = host.of("unprivileged: 1\nlxc.include: /etc/lxc/gpu.conf\n");
  REQUIRE(container.bindings.size() == 1);
  CHECK(container.bindings.front().form == Binding::Form::included);
  CHECK(container.binds(kGpu2));
}

TEST_CASE("the generated configuration is compared with what the configuration says (pct.md, section 2)") {
  OneHost host;
  CHECK(!host.look(k120).container.generated_stale);  // no such file: none to be stale
  host.tree.file("/var/lib/lxc/120/config",
                 "lxc.arch = amd64\nlxc.cgroup2.devices.allow = c 226:* rwm\n"
                 "lxc.mount.entry = /dev/dri/renderD128 dev/dri/renderD128 none bind,optional,create=file\n");
  const Container container = host.look(k120).container;
  CHECK(container.generated_stale);
  CHECK(container.generated_lines.size() == 1);
  CHECK(container.generated_cards == std::set<PciAddress>{kGpu2});
}

TEST_CASE("a backup job in stop mode is named for the containers that it takes (pct.md 5.5)") {
  OneHost host;
  host.tree.file("/etc/pve/jobs.cfg",
                 "vzdump: nightly\n\tenabled 1\n\tmode stop\n\tvmid 120,121\n\nvzdump: off\n\tenabled "
                 "0\n\tmode stop\n\tall 1\n"
                 "\nvzdump: soft\n\tmode snapshot\n\tall 1\n");
  CHECK(host.look(k120).container.stop_backups == std::vector<std::string>{"nightly"});
  write_config(host.tree, k123, "hostname: x\n");
  CHECK(host.look(k123).container.stop_backups.empty());
}

TEST_CASE("a pool's backup job takes its members; an unknown pool may take anybody") {
  OneHost host;
  host.tree.file("/etc/pve/jobs.cfg", "vzdump: nightly\n\tmode stop\n\tpool models\n");
  CHECK(host.look(k120).container.stop_backups.size() == 1);
  host.tree.file("/etc/pve/user.cfg", "pool:models::121:local:\n");
  CHECK(host.look(k120).container.stop_backups.empty());
}

TEST_CASE("what an earlier cutover took away is at hand; a damaged note of it is said") {
  OneHost host;
  Keepsake kept;
  kept.lines[kGpu2] = {"dev0: /dev/dri/renderD128"};
  host.tree.file("/var/lib/gpu-interlock/keepsakes/120", keepsake_text(kept));
  CHECK(host.look(k120).container.keepsake == kept);
  host.tree.file("/var/lib/gpu-interlock/keepsakes/120", "garbage");
  CHECK(host.look(k120).cannot_tell.size() == 1);
}

TEST_CASE("a container that is not there is missing, one that cannot be read is an error") {
  OneHost host;
  std::vector<std::string> cannot_tell;
  const ContainerContext context = container_context(host.tree.host(), cannot_tell);
  CHECK(is_missing(read_container(host.tree.host(), context, k123, cannot_tell).error()));
  host.tree.folder("/etc/pve/nodes/pve/lxc/123.conf");
  const auto refused = read_container(host.tree.host(), context, k123, cannot_tell);
  REQUIRE(!refused);
  CHECK(!is_missing(refused.error()));
}

TEST_CASE("units: stopped, unknown and unanswered are different answers (two-v620 failure 7)") {
  OneHost host;
  const Policy policy = two_v620_policy();
  Container container{.vmid = k120};
  container.running = RunState::stopped;
  read_units(host.tree.host(), policy, container);
  CHECK(container.units_answer == UnitsAnswer::not_running);

  container.running = RunState::unknown;
  read_units(host.tree.host(), policy, container);
  CHECK(container.units_answer == UnitsAnswer::unanswered);

  container.running = RunState::running;
  read_units(host.tree.host(), policy, container);
  CHECK(container.units_answer == UnitsAnswer::unanswered);
  CHECK(container.units_error.find("/usr/sbin/pct") != std::string::npos);

  Container bystander{.vmid = k121};
  bystander.running = RunState::running;
  read_units(host.tree.host(), policy, bystander);
  CHECK(bystander.units_answer == UnitsAnswer::not_asked);
}

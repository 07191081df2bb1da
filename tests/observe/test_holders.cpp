#include "catch.h"
#include "observe/holders.h"
#include "observe/process_fixture.h"

using namespace interlock;
using namespace interlock::observe;
using namespace interlock::tests;

namespace {

const Vmid k120 = *Vmid::parse("120");
constexpr Bytes kIdle = 64 * kMiB;
const std::string kServer = "/lxc/120/ns/system.slice/llamacpp.service";

Holders look(Tree& tree, const std::optional<std::set<Vmid>>& containers = std::nullopt) {
  auto found = find_holders(tree.host(), card_nodes(tree.host()), kIdle, containers);
  REQUIRE(found);
  return *std::move(found);
}

struct TwoCards {
  Tree tree;
  TwoCards() { write_two_cards(tree); }
};

}  // namespace

TEST_CASE("a server is found with its card, memory, engine time and place") {
  TwoCards host;
  write_process(host.tree, 4711, "llama-server", kServer);
  write_fd(host.tree, 4711, 7, "/dev/dri/renderD129",
           drm_fdinfo(kGpu1, 5, 26'600'000, "drm-engine-compute:\t900 ns\n"));
  write_fd(host.tree, 4711, 3, "/dev/null", "");
  for (const auto& found : {look(host.tree), look(host.tree, std::set{k120})}) {
    REQUIRE(found.holders.size() == 1);
    const Holder& holder = found.holders.front();
    CHECK(holder.process == ProcessId{4711, 5711});
    CHECK(holder.command == "llama-server");
    CHECK(holder.card == kGpu1);
    CHECK(holder.place.container == k120);
    CHECK(holder.place.unit->text() == "llamacpp.service");
    CHECK(holder.memory == (26'600'000 + 2048) * kKiB);
    CHECK(holder.engine_ns == 900u);
    CHECK(holder.uses == Truth::yes);
    CHECK(found.unknown.empty());
  }
}

TEST_CASE("fdinfo's PCI address decides, not the name that the container knows the node by (pct.md 6.B)") {
  TwoCards host;
  write_process(host.tree, 4711, "llama-server", kServer);
  write_fd(host.tree, 4711, 7, "/dev/dri/renderD128", drm_fdinfo(kGpu1, 5, 100'000));
  const Holders found = look(host.tree);
  REQUIRE(found.holders.size() == 1);
  CHECK(found.holders.front().card == kGpu1);
}

TEST_CASE("a process with the node open and hardly any memory is an idle holder, not none (S12)") {
  TwoCards host;
  write_process(host.tree, 4800, "gateway", "/lxc/120/ns/system.slice/gateway.service");
  write_fd(host.tree, 4800, 7, "/dev/dri/renderD129", drm_fdinfo(kGpu1, 9, 2048));
  const Holders found = look(host.tree);
  REQUIRE(found.holders.size() == 1);
  CHECK(found.holders.front().uses == Truth::no);
}

TEST_CASE(
    "a benchmark started by pct exec, in no unit, is found like anything else (S11, two-v620 failure 9)") {
  TwoCards host;
  write_process(host.tree, 4900, "llama-bench", "/lxc/120/ns/.lxc");
  write_fd(host.tree, 4900, 4, "/dev/dri/renderD128", drm_fdinfo(kGpu2, 4, 9'000'000));
  const Holders found = look(host.tree, std::set{k120});
  REQUIRE(found.holders.size() == 1);
  CHECK(!found.holders.front().place.unit);
  CHECK(found.holders.front().place.container == k120);
}

TEST_CASE("processes of the host itself are found in a look at all of /proc only") {
  TwoCards host;
  write_process(host.tree, 900, "systemd-logind", "/system.slice/systemd-logind.service");
  write_fd(host.tree, 900, 20, "/dev/dri/card1", drm_fdinfo(kGpu1, 1, 0));
  CHECK(look(host.tree).holders.size() == 1);
  CHECK(!look(host.tree).holders.front().place.container);
  CHECK(look(host.tree, std::set{k120}).holders.empty());
}

TEST_CASE(
    "copies of one descriptor count their memory once, and every process stays a holder (amdgpu.md 3.4)") {
  TwoCards host;
  write_process(host.tree, 900, "systemd-logind", "/system.slice/systemd-logind.service");
  write_fd(host.tree, 900, 20, "/dev/dri/card1", drm_fdinfo(kGpu1, 1, 500'000, "drm-engine-gfx:\t77 ns\n"));
  write_process(host.tree, 4711, "compositor", kServer);
  for (const int fd : {7, 8, 9}) {
    write_fd(host.tree, 4711, fd, "/dev/dri/card1",
             drm_fdinfo(kGpu1, 1, 500'000, "drm-engine-gfx:\t77 ns\n"));
  }
  const Holders found = look(host.tree);
  REQUIRE(found.holders.size() == 2);
  CHECK(found.holders[0].process.pid == 900);
  CHECK(found.holders[0].memory == 0u);
  CHECK(found.holders[0].uses == Truth::no);
  CHECK(found.holders[1].memory == (500'000 + 2048) * kKiB);
  CHECK(found.holders[1].engine_ns == 77u);
  CHECK(found.holders[1].uses == Truth::yes);
}

TEST_CASE("several clients of one process add up; two cards give two holders") {
  TwoCards host;
  write_process(host.tree, 4711, "llama-server", kServer);
  write_fd(host.tree, 4711, 7, "/dev/dri/renderD129", drm_fdinfo(kGpu1, 5, 40'000));
  write_fd(host.tree, 4711, 8, "/dev/dri/renderD129", drm_fdinfo(kGpu1, 6, 40'000));
  write_fd(host.tree, 4711, 9, "/dev/dri/renderD128", drm_fdinfo(kGpu2, 5, 10'000));
  const Holders found = look(host.tree);
  REQUIRE(found.holders.size() == 2);
  CHECK(found.holders[0].memory == 2 * (40'000 + 2048) * kKiB);
  CHECK(found.holders[0].uses == Truth::yes);
  CHECK(found.holders[1].memory == (10'000 + 2048) * kKiB);
  CHECK(found.holders[1].uses == Truth::no);
}

TEST_CASE(
    "a card that was unplugged tells nothing in fdinfo, and its holder is one whose use is unknown (3.3)") {
  TwoCards host;
  write_process(host.tree, 4711, "llama-server", kServer);
  write_fd(host.tree, 4711, 7, "/dev/dri/renderD129", "");
  const Holders found = look(host.tree);
  REQUIRE(found.holders.size() == 1);
  CHECK(found.holders.front().card == kGpu1);
  CHECK(!found.holders.front().memory);
  CHECK(found.holders.front().uses == Truth::unknown);
}

TEST_CASE("below a root folder the texts alone, or the links alone, are enough") {
  TwoCards host;
  write_process(host.tree, 4711, "llama-server", kServer);
  host.tree.file("/proc/4711/fdinfo/7", drm_fdinfo(kGpu1, 5, 100'000));
  write_process(host.tree, 4712, "other", kServer);
  host.tree.link("/proc/4712/fd/3", "/dev/dri/by-path/pci-0000:83:00.0-render");
  const Holders found = look(host.tree);
  REQUIRE(found.holders.size() == 2);
  CHECK(found.holders[0].card == kGpu1);
  CHECK(found.holders[1].card == kGpu2);
}

TEST_CASE("nodes of other makers are nobody's card") {
  TwoCards host;
  write_process(host.tree, 4711, "python", kServer);
  write_fd(host.tree, 4711, 7, "/dev/nvidia0", "");
  write_fd(host.tree, 4711, 8, "/dev/nvidiactl", "");
  write_fd(host.tree, 4711, 9, "/dev/kfd", "");
  write_fd(host.tree, 4711, 10, "socket:[1234]", "");
  const Holders found = look(host.tree);
  CHECK(found.holders.empty());
  CHECK(found.unknown.empty());
}

TEST_CASE("ROCm's work is seen by KFD, which no fdinfo counts (amdgpu.md 3.5)") {
  TwoCards host;
  host.tree.file("/sys/class/kfd/kfd/topology/nodes/1/gpu_id", "51140\n");
  host.tree.file("/sys/class/kfd/kfd/topology/nodes/1/properties", "location_id 768\ndomain 0\n");
  host.tree.file("/sys/class/kfd/kfd/topology/nodes/2/gpu_id", "8712\n");
  host.tree.file("/sys/class/kfd/kfd/topology/nodes/2/properties", "location_id 33536\ndomain 0\n");
  write_process(host.tree, 4711, "python", kServer);
  write_fd(host.tree, 4711, 7, "/dev/dri/renderD129", drm_fdinfo(kGpu1, 5, 0));
  write_fd(host.tree, 4711, 8, "/dev/dri/renderD128", drm_fdinfo(kGpu2, 6, 0));
  host.tree.file("/sys/class/kfd/kfd/proc/4711/vram_51140", "4096\n");
  host.tree.file("/sys/class/kfd/kfd/proc/4711/vram_8712", "0\n");
  const Holders found = look(host.tree, std::set{k120});
  REQUIRE(found.holders.size() == 2);
  CHECK(found.holders[0].kfd_memory == 4096u);
  CHECK(found.holders[0].uses == Truth::yes);
  CHECK(found.holders[1].kfd_memory == 0u);
  CHECK(found.holders[1].uses == Truth::no);
}

TEST_CASE("a KFD process that ended without giving its memory back is an unknown holder, not none") {
  TwoCards host;
  host.tree.folder("/proc/1");
  host.tree.file("/sys/class/kfd/kfd/topology/nodes/1/gpu_id", "51140\n");
  host.tree.file("/sys/class/kfd/kfd/topology/nodes/1/properties", "location_id 768\n");
  host.tree.file("/sys/class/kfd/kfd/proc/4711/vram_51140", "4096\n");
  const Holders found = look(host.tree);
  CHECK(found.holders.empty());
  REQUIRE(found.unknown.size() == 1);
  CHECK(found.unknown.front().pid == 4711);
}

TEST_CASE(
    "a process whose KFD cards cannot be told stays a holder of those that can, and is unknown besides") {
  TwoCards host;
  write_process(host.tree, 4711, "python", kServer);
  write_fd(host.tree, 4711, 7, "/dev/dri/renderD129", drm_fdinfo(kGpu1, 5, 0));
  host.tree.file("/sys/class/kfd/kfd/proc/4711/vram_51140", "4096\n");
  const Holders found = look(host.tree);
  CHECK(found.holders.size() == 1);
  REQUIRE(found.unknown.size() == 1);
  CHECK(found.unknown.front().place.container == k120);
}

TEST_CASE(
    "a process that may not be looked into is an unknown holder with its place, never no holder (3.1)") {
  TwoCards host;
  write_process(host.tree, 4711, "llama-server", kServer);
  host.tree.remove("/proc/4711/fd").link("/proc/4711/fd", "fd");  // ELOOP stands for any refusal
  const Holders found = look(host.tree);
  CHECK(found.holders.empty());
  REQUIRE(found.unknown.size() == 1);
  CHECK(found.unknown.front().pid == 4711);
  CHECK(found.unknown.front().place.container == k120);
  CHECK(!found.unknown.front().why.empty());
}

TEST_CASE("a cgroup whose processes cannot be listed makes its container an unknown holder") {
  TwoCards host;
  host.tree.folder("/sys/fs/cgroup/lxc/120/ns/cgroup.procs");
  const Holders found = look(host.tree, std::set{k120});
  REQUIRE(found.unknown.size() == 1);
  CHECK(found.unknown.front().place.container == k120);
}

TEST_CASE("processes that vanish during the look are no holders and no errors") {
  TwoCards host;
  host.tree.folder("/proc/4711");
  host.tree.file("/sys/fs/cgroup/lxc/120/cgroup.procs", "4711\n4712\n");
  for (const auto& found : {look(host.tree), look(host.tree, std::set{k120})}) {
    CHECK(found.holders.empty());
    CHECK(found.unknown.empty());
  }
}

TEST_CASE("where the first thread has ended, the other threads' open files are looked at") {
  TwoCards host;
  write_process(host.tree, 4711, "llama-server", kServer);
  host.tree.folder("/proc/4711/task/4711/fd");
  host.tree.file("/proc/4711/task/4712/fdinfo/7", drm_fdinfo(kGpu1, 5, 100'000));
  CHECK(look(host.tree).holders.size() == 1);
}

TEST_CASE("a place that cannot be read is unknown, and the holder is one all the same") {
  TwoCards host;
  write_process(host.tree, 4711, "llama-server", kServer);
  write_fd(host.tree, 4711, 7, "/dev/dri/renderD129", drm_fdinfo(kGpu1, 5, 100'000));
  host.tree.remove("/proc/4711/cgroup");
  const Holders found = look(host.tree);
  REQUIRE(found.holders.size() == 1);
  CHECK(!found.holders.front().place.known);
}

TEST_CASE("a node bound under any name at all is found by what its fdinfo says (pct.md 6.B)") {
  TwoCards host;
  write_process(host.tree, 4711, "llama-server", kServer);
  write_fd(host.tree, 4711, 3, "socket:[9000]", "");
  write_fd(host.tree, 4711, 4, "anon_inode:[eventpoll]", "");
  write_fd(host.tree, 4711, 7, "/opt/accelerator", drm_fdinfo(kGpu1, 5, 100'000));
  write_process(host.tree, 4712, "other", kServer);
  write_fd(host.tree, 4712, 3, "/opt/file", "");
  const Holders found = look(host.tree);
  REQUIRE(found.holders.size() == 1);
  CHECK(found.holders.front().process.pid == 4711);
  CHECK(found.unknown.empty());
}

TEST_CASE("a stop that reported success says nothing: who still has the card open is found (S06, S03)") {
  TwoCards host;
  write_process(host.tree, 4711, "llama-server", kServer);
  write_fd(host.tree, 4711, 7, "/dev/dri/renderD129", drm_fdinfo(kGpu1, 5, 100'000));
  const Holders before = look(host.tree, std::set{k120});
  // ExecStop killed the server alone; its worker, in the same cgroup, has a copy of the descriptor.
  write_process(host.tree, 4720, "worker", kServer);
  write_fd(host.tree, 4720, 7, "/dev/dri/renderD129", drm_fdinfo(kGpu1, 5, 100'000));
  host.tree.remove("/proc/4711");
  const Holders after = look(host.tree, std::set{k120});
  REQUIRE(before.holders.size() == 1);
  REQUIRE(after.holders.size() == 1);
  CHECK(after.holders.front().process.pid == 4720);
  CHECK(after.holders.front().memory == before.holders.front().memory);
}

TEST_CASE("/proc that cannot be listed is an error, not an empty card") {
  Tree tree;
  CHECK(!find_holders(tree.host(), {}, kIdle, std::nullopt));
}

TEST_CASE("engine time that grew between two looks makes a user of an idle holder") {
  Holder before{.process = {4711, 9},
                .command = "x",
                .card = kGpu1,
                .place = {},
                .memory = 0,
                .engine_ns = 100,
                .kfd_memory = {},
                .kfd_queue = false,
                .uses = Truth::no};
  const auto grown = [&](std::optional<std::uint64_t> earlier, std::optional<std::uint64_t> later) {
    before.engine_ns = earlier;
    std::vector now = {before};
    now.front().engine_ns = later;
    engine_growth(now, {before});
    return now.front().uses == Truth::yes;
  };
  CHECK(grown(100, 101));
  CHECK(grown(std::nullopt, 1));
  CHECK(!grown(100, 100));
  CHECK(!grown(100, 50));  // another client than before
  CHECK(!grown(100, std::nullopt));
  std::vector other = {before};
  other.front().engine_ns = 500;
  other.front().process.started = 10;  // another process with that number
  engine_growth(other, {before});
  CHECK(other.front().uses == Truth::no);
}

TEST_CASE("a look at this machine itself ends; whom it may not look into it says with the reason") {
  const auto host = *make_linux_host("/");
  const auto found = find_holders(*host, card_nodes(*host), kIdle, std::nullopt);
  REQUIRE(found);
  for (const UnknownHolder& unknown : found->unknown) CHECK(!unknown.why.empty());
}

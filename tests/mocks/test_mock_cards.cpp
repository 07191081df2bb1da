// The mocked host in memory: processes, and cards with their sensors, memory and KFD, as the kernel shows
// them.
#include <cerrno>
#include <csignal>

#include "mocked.h"

using namespace interlock;
using namespace interlock::mocks;
using namespace std::chrono_literals;

TEST_CASE("a signal reaches a process only by its own start time") {
  MockHost host(two_v620());
  const Process process = host.machine().run_by_hand(120, "llama-bench", kMiB, 50);
  CHECK(host.signal({process.pid, process.started + 1}, SIGKILL).error().code == ESRCH);
  CHECK(host.signal({process.pid, process.started}, SIGKILL));
  CHECK(host.model().process(process.pid) == nullptr);
}

TEST_CASE("a card's sensors fail as the driver makes them (amdgpu.md 1.6)") {
  MockHost host(two_v620());
  const std::string sensor = "/sys/bus/pci/devices/0000:03:00.0/hwmon/hwmon2/temp2_input";
  Card& card = *host.model().card("gpu1");
  card.runtime = "suspended";
  CHECK(host.read_file(sensor).error().code == EPERM);
  card.runtime = "active";
  card.off_the_bus = true;
  CHECK(host.read_file(sensor).error().code == EOPNOTSUPP);
  CHECK(host.read_file("/sys/bus/pci/devices/0000:03:00.0/config")->substr(0, 2) == "\xff\xff");
  card.off_the_bus = false;
  host.model().overrides["/sys/devices/pci0000:00/0000:03:00.0/hwmon/hwmon2/temp2_input"] = {0, "511000\n",
                                                                                             false};
  CHECK(*host.read_file(sensor) == "511000\n");
  card.present = false;
  CHECK(is_missing(host.read_file(sensor).error()));
}

TEST_CASE("a card heats while something works on it, and cools when that is frozen") {
  MockHost host(two_v620());
  Card& card = *host.model().card("gpu1");
  card.heating = 1000;
  card.cooling = 500;
  host.wait(10s);
  CHECK(temperatures(host.model(), card).junction == 72'000);
  CHECK(host.write_control("/sys/fs/cgroup/lxc/120/ns/system.slice/llamacpp.service/cgroup.freeze", "1"));
  host.wait(10s);
  CHECK(temperatures(host.model(), card).junction == 67'000);
}

TEST_CASE("memory of a server that ended can linger (S09)") {
  MockHost host(two_v620());
  host.model().card("gpu2")->lingers = 5s;
  pct(host, {"stop", "123"});
  CHECK(memory_used(host.model(), *host.model().card("gpu2")) > 20'000 * kMiB);
  host.wait(5s);
  CHECK(memory_used(host.model(), *host.model().card("gpu2")) == 24 * kMiB);
}

TEST_CASE("KFD work is seen in sysfs, by the lead thread's number (amdgpu.md 3.5)") {
  MockHost host(two_v620());
  host.model().kfd = true;
  Process& process = host.machine().run_by_hand(123, "rocm-bench", 0, 0);
  process.opens.front().kfd_memory = 8'000 * kMiB;
  process.opens.front().kfd_queue = true;
  const std::string top = "/sys/class/kfd/kfd/";
  const std::string own = top + "proc/" + std::to_string(process.pid) + "/";
  const std::string number = *host.read_file(top + "topology/nodes/2/gpu_id");
  CHECK(contains(*host.read_file(top + "topology/nodes/2/properties"), "location_id 33536\n"));  // 0x83 << 8
  CHECK(*host.read_file(own + "queues/0/gpuid") == number);
  CHECK(*host.read_file(own + "vram_" + number.substr(0, number.size() - 1)) == "8388608000\n");
}

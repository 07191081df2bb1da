// The programs without --root, on a machine of the test's own: what libsensors and device events are good for
// to a person and to the guard (design, section 4). The cards are at addresses that no machine has, and no
// process but the test's own is to be seen, so the guard finds nothing that it could end.
#include <fcntl.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <csignal>

#include "blackbox.h"
#include "catch.h"
#include "kernel_cards.h"
#include "kernel_events.h"

using namespace interlock::tests;
using namespace std::chrono_literals;
using interlock::Instant;

namespace {

const std::string kFirst = "7ffe:03:00.0";
const std::string kSecond = "7ffe:83:00.0";

const std::string kPolicy = R"(version: 1
cards:
  gpu1: { pci: "7ffe:03:00.0" }
  gpu2: { pci: "7ffe:83:00.0" }
guard:
  poll: 10s
  channels:
    junction: { warn: 95, trip: 102, resume: 85 }
    memory: { warn: 93, trip: 101, resume: 85 }
)";

Instant now() {
  timespec at{};
  ::clock_gettime(CLOCK_BOOTTIME, &at);
  return Instant{std::chrono::seconds(at.tv_sec) + std::chrono::nanoseconds(at.tv_nsec)};
}

/// What this thread starts sees no process but itself and what it starts, and ends with this object.
class OwnProcesses {
 public:
  OwnProcesses() {
    std::array<int, 2> ends{};
    if (::unshare(CLONE_NEWPID) != 0 || ::pipe2(ends.data(), O_CLOEXEC) != 0)
      throw NotAllowed("processes of our own");
    const interlock::Fd reading(ends[0]);
    interlock::Fd writing(ends[1]);
    first_ = ::fork();
    if (first_ == 0) first(writing.get());
    writing.reset();
    char byte = 0;
    if (first_ < 0 || ::read(reading.get(), &byte, 1) != 1) throw NotAllowed("a /proc of our own");
  }
  OwnProcesses(const OwnProcesses&) = delete;
  OwnProcesses& operator=(const OwnProcesses&) = delete;
  ~OwnProcesses() {
    ::kill(first_, SIGKILL);
    ::waitpid(first_, nullptr, 0);
  }

 private:
  /// Number 1 there: with it all others end.
  [[noreturn]] static void first(int ready) {
    const bool mounted = ::prctl(PR_SET_PDEATHSIG, SIGKILL) == 0 &&
                         ::mount("proc", "/proc", "proc", MS_NOSUID | MS_NODEV | MS_NOEXEC, nullptr) == 0;
    if (!mounted || ::write(ready, "+", 1) != 1) ::_exit(1);
    for (;;) ::pause();
  }

  pid_t first_ = -1;
};

/// A machine with two cool cards and no container.
class OwnMachine {
 public:
  OwnMachine() {
    write_kernel_card(tree, kFirst, "hwmon3", 52, 60);
    write_kernel_card(tree, kSecond, "hwmon4", 78, 84);
    tree.file("/etc/gpu-interlock/policy.yaml", kPolicy)
        .folder("/etc/pve/lxc")
        .folder("/run")
        .folder("/var/lib");
  }
  void use(const std::function<void()>& body) {
    auto covers = over_sys(tree);
    for (const char* folder : {"/etc", "/run", "/var/lib"}) {
      covers.push_back({tree.real(folder).string(), folder});
    }
    on_private_machine(covers, [&] {
      const OwnProcesses processes;
      body();
    });
  }

  /// The cards' chips have changed hands: what is read as one card's is the other's.
  void swap_chips() {
    misname("hwmon3", kFirst, 78, 84);
    misname("hwmon4", kSecond, 52, 60);
  }

  static nlohmann::json findings(const std::string& code) {
    const auto audit = run({"gpu-interlock", "--json", "audit"}).json();
    nlohmann::json found = nlohmann::json::array();
    for (const auto& finding : audit.at("findings")) {
      if (finding.at("code") == code) found.push_back(finding);
    }
    return found;
  }

  Tree tree;

 private:
  void misname(const std::string& hwmon, const std::string& pci, int junction, int memory) {
    tree.remove("/sys/class/hwmon/" + hwmon);
    write_chip(tree, "/sys/class/hwmon/" + hwmon, pci, junction, memory);
  }
};

/// The guard at work, seen by its own report.
class OwnGuard {
 public:
  explicit OwnGuard(OwnMachine& machine)
      : tree_(machine.tree), running_({"gpu-interlockd"}, machine.tree.real("/guard.log").string()) {}

  std::string state(const std::string& card) const { return field(card).value("state", ""); }
  /// When its last sample was taken, by the sample.
  Instant sampled(const std::string& card) const {
    return interlock::instant_from_ns(
        field(card).at("channels").at("junction").at("taken_at_ns").get<std::int64_t>());
  }
  bool becomes(const std::string& card, const std::string& wanted) const {
    return eventually([&] { return state(card) == wanted; });
  }
  /// From `since` to the sample that came of it; nothing: none came in much less than a poll.
  std::optional<std::chrono::microseconds> looked_within(const std::string& card, Instant since) const {
    if (!eventually([&] { return sampled(card) > since; }, 5s)) return std::nullopt;
    return std::chrono::duration_cast<std::chrono::microseconds>(sampled(card) - since);
  }
  std::string log() const { return tree_.read("/guard.log"); }

 private:
  nlohmann::json field(const std::string& card) const {
    if (!tree_.has("/run/gpu-interlock/guard.json")) return nlohmann::json::object();
    const auto report = nlohmann::json::parse(tree_.read("/run/gpu-interlock/guard.json"));
    return report.at("cards").value(card, nlohmann::json::object());
  }

  Tree& tree_;
  Running running_;
};

/// A busy machine may be late with one, and not with most.
class Waits {
 public:
  void add(std::optional<std::chrono::microseconds> wait) {
    REQUIRE(wait);
    waits_.insert(std::ranges::upper_bound(waits_, *wait), *wait);
  }
  std::chrono::microseconds median() const { return waits_.at(waits_.size() / 2); }
  std::string text() const {
    return "median " + std::to_string(median().count()) + " us, longest " +
           std::to_string(waits_.back().count()) + " us";
  }

 private:
  std::vector<std::chrono::microseconds> waits_;  // in order
};

}  // namespace

TEST_CASE("sensors shows what libsensors says of each card, and the audit nothing while both agree") {
  OwnMachine machine;
  machine.use([&] {
    const auto cards = run({"gpu-interlock", "--json", "sensors"}).json().at("cards");
    const auto first = one_of(cards, "id", "gpu1").at("channels");
    CHECK(first.at("junction").at("raw") == "52000");
    CHECK(first.at("junction").at("libsensors") == 52.0);
    CHECK(first.at("memory").at("libsensors") == 60.0);
    CHECK(one_of(cards, "id", "gpu2").at("channels").at("junction").at("libsensors") == 78.0);
    CHECK(OwnMachine::findings("sensor-disagrees").empty());
  });
}

TEST_CASE(
    "libsensors that cannot read a card is no opinion of it: sensors shows null, and the audit no "
    "disagreement") {
  OwnMachine machine;
  machine.tree.remove("/sys/class/hwmon/hwmon3");
  machine.use([&] {
    const auto cards = run({"gpu-interlock", "--json", "sensors"}).json().at("cards");
    const auto junction = one_of(cards, "id", "gpu1").at("channels").at("junction");
    CHECK(junction.at("raw") == "52000");
    CHECK(junction.at("libsensors").is_null());
    CHECK(OwnMachine::findings("sensor-disagrees").empty());
  });
}

TEST_CASE("a swapped hwmon is a disagreement of both cards on both channels, and told with both values") {
  OwnMachine machine;
  machine.swap_chips();
  machine.use([&] {
    const auto found = OwnMachine::findings("sensor-disagrees");
    REQUIRE(found.size() == 4);
    const std::string message = found[0].at("message");
    INFO(message);
    CHECK(found[0].at("subject") == "gpu1");
    CHECK(message.find("52.0 C by the driver's file and 78.0 C by libsensors") != std::string::npos);
  });
}

TEST_CASE("with `poll: 10s` an event of a card leads to a look at it within 50 ms, and at no other") {
  OwnMachine machine;
  machine.use([&] {
    KernelEvents kernel;
    const OwnGuard guard(machine);
    REQUIRE(guard.becomes("gpu1", "guarding"));
    REQUIRE(guard.becomes("gpu2", "guarding"));
    const Instant other = guard.sampled("gpu2");
    Waits waits;
    for (int events = 0; events < 5; ++events) {
      const Instant before = now();
      kernel.tell("change", chip_path(kFirst, "hwmon3"), "hwmon");
      waits.add(guard.looked_within("gpu1", before));
    }
    CHECK(guard.sampled("gpu2") == other);
    WARN("from an event to the sample that it led to: " << waits.text());
    CHECK(waits.median() < 50ms);
  });
}

TEST_CASE(
    "with `poll: 10s` a card that is taken out is absent within 50 ms, and guarded again when it is back") {
  OwnMachine machine;
  machine.use([&] {
    KernelEvents kernel;
    const OwnGuard guard(machine);
    REQUIRE(guard.becomes("gpu1", "guarding"));
    REQUIRE(guard.becomes("gpu2", "guarding"));
    Waits gone;
    Waits back;
    std::string number = "hwmon3";
    for (const char* next : {"hwmon5", "hwmon1", "hwmon3"}) {
      remove_kernel_card(machine.tree, kFirst, number);
      Instant before = now();
      kernel.tell("remove", chip_path(kFirst, number), "hwmon");
      kernel.tell("remove", device_path(kFirst), "pci");
      gone.add(guard.looked_within("gpu1", before));
      CHECK(guard.state("gpu1") == "absent");
      CHECK(guard.state("gpu2") == "guarding");

      number = next;
      write_kernel_card(machine.tree, kFirst, number, 47, 58);
      before = now();
      kernel.tell("add", device_path(kFirst), "pci");
      kernel.tell("add", chip_path(kFirst, number), "hwmon");
      kernel.tell("bind", device_path(kFirst), "pci");
      back.add(guard.looked_within("gpu1", before));
      CHECK(guard.becomes("gpu1", "guarding"));
    }
    WARN("a card that goes is seen gone in " << gone.text() << "; one that comes in " << back.text());
    CHECK(gone.median() < 50ms);
    CHECK(back.median() < 50ms);
    CHECK(OwnMachine::findings("sensor-disagrees").empty());
    INFO(guard.log());
    CHECK(guard.log().find("trouble") == std::string::npos);
  });
}

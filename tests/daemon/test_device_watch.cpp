#include <arpa/inet.h>

#include <array>

#include "catch.h"
#include "daemon/device_watch.h"
#include "kernel_events.h"
#include "private_machine.h"
#include "tree.h"

using namespace interlock;
using namespace interlock::daemon;
using namespace interlock::tests;
using namespace std::chrono_literals;

namespace {

const std::string kBridge = "/devices/pci0000:00/0000:00:03.1";
const std::string kCard = kBridge + "/0000:03:00.0";
const std::string kOther = "/devices/pci0000:80/0000:83:00.0";

using Heard = std::vector<std::string>;

/// What is heard of `happening`, up to an event of `last`.
Heard heard(const std::function<void()>& happening, const std::string& last = "0000:83:00.0") {
  const auto loop = EventLoop::make();
  REQUIRE(loop);
  Heard heard;
  const auto watch = DeviceWatch::begin(**loop, [&](const std::optional<PciAddress>& pci) {
    heard.push_back(pci ? pci->text() : "any");
    if (heard.back() == last) (*loop)->stop(0);
  });
  REQUIRE(watch);
  Timer patience = (*loop)->timer([&] { (*loop)->stop(1); });
  patience.at((*loop)->now() + 10s);
  happening();
  CHECK((*loop)->run() == 0);
  return heard;
}

/// libudev asks for 128 MiB, which nothing fills that a test can wait for.
void shorten_queues() {
  constexpr int kMostDescriptors = 64;
  const int size = 4096;
  for (int fd = 0; fd < kMostDescriptors; ++fd) {
    int protocol = 0;
    socklen_t length = sizeof protocol;
    const bool is_socket = ::getsockopt(fd, SOL_SOCKET, SO_PROTOCOL, &protocol, &length) == 0;
    if (is_socket && protocol == NETLINK_KOBJECT_UEVENT)
      REQUIRE(::setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &size, sizeof size) == 0);
  }
}

/// What systemd-udevd sends when it has dealt with an event: the same, behind a header that says which
/// subsystem it is of (systemd: libsystemd/sd-device/device-monitor.c, monitor_netlink_header).
class UdevEvents : public KernelEvents {
 public:
  void dealt_with(const std::string& action, const std::string& device, const std::string& subsystem) {
    const std::string text = properties(action, device, subsystem) + "SEQNUM=1" + '\0';
    Header header;
    header.properties_size = static_cast<std::uint32_t>(text.size());
    header.subsystem = htonl(hash(subsystem));
    send(std::string(reinterpret_cast<const char*>(&header), sizeof header) + text, kGroup);
  }

 private:
  static constexpr unsigned kGroup = 2;
  struct Header {
    std::array<char, 8> prefix{'l', 'i', 'b', 'u', 'd', 'e', 'v', '\0'};
    std::uint32_t magic = htonl(0xfeedcafe);
    std::uint32_t header_size = sizeof(Header);
    std::uint32_t properties_at = sizeof(Header);
    std::uint32_t properties_size = 0;
    std::uint32_t subsystem = 0;
    std::uint32_t devtype = 0;
    std::array<std::uint32_t, 2> tags{};
  };

  /// MurmurHash2 with seed 0, by which the socket's filter knows a subsystem.
  static std::uint32_t hash(std::string_view text) {
    constexpr std::uint32_t kFactor = 0x5bd1e995;
    auto result = static_cast<std::uint32_t>(text.size());
    for (; text.size() >= 4; text.remove_prefix(4)) {
      std::uint32_t part = 0;
      std::memcpy(&part, text.data(), sizeof part);
      part *= kFactor;
      result = (result * kFactor) ^ ((part ^ (part >> 24)) * kFactor);
    }
    for (std::size_t at = text.size(); at-- > 0;) {
      result ^= static_cast<std::uint32_t>(static_cast<unsigned char>(text[at])) << (8 * at);
      if (at == 0) result *= kFactor;
    }
    result = (result ^ (result >> 13)) * kFactor;
    return result ^ (result >> 15);
  }
};

}  // namespace

TEST_CASE("an event of a card's hwmon or node is that card's, whatever bridges stand before it") {
  const auto pci = pci_of("/sys/devices/pci0000:00/0000:00:03.1/0000:02:00.0/0000:03:00.0/hwmon/hwmon4");
  REQUIRE(pci);
  CHECK(pci->text() == "0000:03:00.0");
  CHECK(pci_of("/sys/devices/pci0000:00/0000:03:00.0/drm/card1")->text() == "0000:03:00.0");
  CHECK(pci_of("/sys/devices/pci0000:00/0000:00:03.1")->text() == "0000:00:03.1");
}

TEST_CASE("an event of something that is no PCI device is nobody's") {
  CHECK_FALSE(pci_of("/sys/devices/virtual/hwmon/hwmon0"));
  CHECK_FALSE(pci_of("/sys/devices/pci0000:00"));
  CHECK_FALSE(pci_of(""));
}

TEST_CASE(
    "where no udevd runs the kernel's own word is taken of each thing that can happen to a card (amdgpu.md "
    "2.7)") {
  Tree tree;  // an empty /run: nobody deals with events
  on_private_machine({{tree.root(), "/run"}}, [&] {
    KernelEvents kernel;
    const auto events = heard([&] {
      kernel.tell("remove", kCard + "/hwmon/hwmon3", "hwmon");
      kernel.tell("remove", kCard + "/drm/card1", "drm");
      kernel.tell("unbind", kCard, "pci");
      kernel.tell("remove", kCard, "pci");
      kernel.tell("add", "/devices/virtual/hwmon/hwmon7", "hwmon");  // nobody's
      kernel.tell("change", kCard + "/usb1", "usb");                 // nothing that tells of a card
      kernel.tell("add", kBridge, "pci");
      kernel.tell("bind", kOther, "pci");
    });
    CHECK(events == Heard{"0000:03:00.0", "0000:03:00.0", "0000:03:00.0", "0000:03:00.0", "0000:00:03.1",
                          "0000:83:00.0"});
  });
}

TEST_CASE("where udevd runs its word is waited for, so that an event is heard once (amdgpu.md 4.13)") {
  Tree tree;
  tree.file("/udev/control", "");
  on_private_machine({{tree.root(), "/run"}}, [&] {
    UdevEvents events;
    const auto told = heard([&] {
      events.tell("add", kBridge, "pci");  // the kernel's: udevd is still at it
      events.dealt_with("change", kCard + "/drm/card1", "drm");
      events.dealt_with("remove", kCard + "/hwmon/hwmon3", "hwmon");
      events.dealt_with("change", kCard + "/usb1", "usb");
      events.dealt_with("remove", kCard, "pci");
      events.dealt_with("bind", kOther, "pci");
    });
    CHECK(told == Heard{"0000:03:00.0", "0000:03:00.0", "0000:03:00.0", "0000:83:00.0"});
  });
}

TEST_CASE(
    "where more happens than the kernel keeps for us every card is looked at, and none is forgotten (I4)") {
  Tree tree;
  on_private_machine({{tree.root(), "/run"}}, [&] {
    KernelEvents kernel;
    const auto flood = [&] {
      shorten_queues();
      for (int i = 0; i < 1000; ++i) kernel.tell("change", kBridge + "/0000:04:00.0", "pci");
      kernel.tell("remove", kCard, "pci");  // there was no room for it
    };
    const auto events = heard(flood, "any");
    CHECK(events.back() == "any");
    CHECK(std::ranges::find(events, "0000:03:00.0") == events.end());
  });
}

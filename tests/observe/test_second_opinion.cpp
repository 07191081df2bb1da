#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <filesystem>
#include <thread>

#include "base/fd.h"
#include "catch.h"
#include "host/linux_host.h"
#include "kernel_cards.h"
#include "observe/second_opinion.h"
#include "observe/sensors.h"

using namespace interlock;
using namespace interlock::observe;
using namespace interlock::tests;

namespace {

const std::string kFirst = "0000:03:00.0";
const std::string kSecond = "0000:83:00.0";
const std::string kChip = "/sys" + chip_path(kFirst, "hwmon3");

void write_both(Tree& tree) {
  write_kernel_card(tree, kFirst, "hwmon3", 52, 60);
  write_kernel_card(tree, kSecond, "hwmon4", 78, 84);
}

/// Both cards by the driver's files,
std::vector<Card> sampled() {
  const auto host = make_linux_host("/");
  REQUIRE(host);
  std::vector<Card> cards;
  for (const std::string& pci : {kFirst, kSecond}) {
    Card card{.id = *CardId::parse("gpu" + std::to_string(cards.size() + 1)), .pci = *PciAddress::parse(pci)};
    card.sample = sample_card(**host, card.pci);
    cards.push_back(std::move(card));
  }
  return cards;
}

/// and then by libsensors: the audit's way.
std::vector<Card> looked_at() {
  auto cards = sampled();
  read_second_opinion(cards);
  return cards;
}

/// "52.0 C, none": by channel.
std::string opinion_of(const Card& card) {
  std::string text;
  for (const Channel channel : kChannels) {
    const auto& second = card.second_opinion[static_cast<std::size_t>(channel)];
    text += (text.empty() ? "" : ", ") + (second ? to_string(*second) : "none");
  }
  return text;
}

const std::string kNone = "none, none";

/// Waits at the chip's label of `edge`, which libsensors reads before the others, and while it waits there
/// the two cards' numbers change hands.
class SwapMeanwhile {
 public:
  explicit SwapMeanwhile(Tree& tree) : tree_(tree) {
    tree.remove(kLabel);
    if (::mkfifo(tree.real(kLabel).c_str(), 0600) != 0) throw std::runtime_error("no FIFO for the test");
    thread_ = std::thread([this] { swap(); });
  }
  SwapMeanwhile(const SwapMeanwhile&) = delete;
  SwapMeanwhile& operator=(const SwapMeanwhile&) = delete;
  ~SwapMeanwhile() { end(); }
  /// True: libsensors was there.
  bool end() {
    over_ = true;
    if (thread_.joinable()) thread_.join();
    return swapped_;
  }

 private:
  inline static const std::string kLabel = kChip + "/temp1_label";

  void swap() {
    Fd label;
    while (!label && !over_) {
      label = Fd(::open(tree_.real(kLabel).c_str(), O_WRONLY | O_NONBLOCK | O_CLOEXEC));  // ENXIO: nobody yet
      if (!label) std::this_thread::yield();
    }
    if (!label) return;
    tree_.file(kLabel + ".new", "edge\n");
    std::filesystem::rename(tree_.real(kLabel + ".new"), tree_.real(kLabel));
    give_number(tree_, "hwmon3", chip_path(kSecond, "hwmon4"));
    give_number(tree_, "hwmon4", chip_path(kFirst, "hwmon3"));
    swapped_ = ::write(label.get(), "edge\n", 5) == 5;
  }

  Tree& tree_;
  std::atomic<bool> over_ = false;
  std::atomic<bool> swapped_ = false;
  std::thread thread_;
};

}  // namespace

TEST_CASE("libsensors' chip numbers are PCI addresses (amdgpu.md 4.4)") {
  CHECK(pci_of_chip(0x0300)->text() == "0000:03:00.0");
  CHECK(pci_of_chip(0x8300)->text() == "0000:83:00.0");
  CHECK(pci_of_chip((1 << 16) | (0x83 << 8) | (0x1f << 3) | 7)->text() == "0001:83:1f.7");
}

TEST_CASE("a card that this machine does not have gets no opinion, again and again") {
  std::vector<Card> cards = {{.id = *CardId::parse("gpu1"), .pci = *PciAddress::parse("ffff:ff:1f.7")}};
  for (int look = 0; look < 2; ++look) read_second_opinion(cards);
  CHECK(opinion_of(cards.front()) == kNone);
}

TEST_CASE("libsensors finds each card by its PCI address, and says of it what the driver's files say") {
  Tree tree;
  write_both(tree);
  // Chips that are no card: a disk's, and a board's that has no device.
  write_chip(tree, "/sys" + chip_path("0000:04:00.0", "hwmon1"), "0000:04:00.0", 33, 34);
  give_number(tree, "hwmon1", chip_path("0000:04:00.0", "hwmon1"));
  tree.link("/sys" + device_path("0000:04:00.0") + "/subsystem", "/sys/bus/pci");
  tree.file("/sys/devices/virtual/hwmon/hwmon0/name", "acpitz\n");
  tree.file("/sys/devices/virtual/hwmon/hwmon0/temp1_input", "27800\n");
  give_number(tree, "hwmon0", "/devices/virtual/hwmon/hwmon0");
  on_private_machine(over_sys(tree), [&] {
    const auto cards = looked_at();
    CHECK(opinion_of(cards[0]) == "52.0 C, 60.0 C");
    CHECK(opinion_of(cards[1]) == "78.0 C, 84.0 C");
    for (const Card& card : cards) {
      for (const Channel channel : kChannels) {
        const auto& second = card.second_opinion[static_cast<std::size_t>(channel)];
        REQUIRE(second);
        CHECK(card.sample->channel(channel)->input.text == std::to_string(second->milli()) + "\n");
      }
    }
  });
}

TEST_CASE("a host's own configuration of libsensors renames and recomputes nothing (amdgpu.md 4.1)") {
  Tree tree;
  write_both(tree);
  tree.file("/etc/sensors3.conf",
            "chip \"amdgpu-*\"\n  label temp1 \"junction\"\n  compute temp2 @-40, @+40\n  ignore temp3\n");
  auto covers = over_sys(tree);
  covers.push_back({tree.real("/etc").string(), "/etc"});
  on_private_machine(covers, [&] { CHECK(opinion_of(looked_at()[0]) == "52.0 C, 60.0 C"); });
}

TEST_CASE("a chip that cannot be read gives no opinion, and never 0 degrees (two-v620 failure 4)") {
  Tree tree;
  write_both(tree);
  const std::string input = kChip + "/temp2_input";
  auto covers = over_sys(tree);
  std::string expected = "none, 60.0 C";  // the other channel is read all the same
  SECTION("the read fails: EIO") {
    covers.push_back({"/proc/self/mem", "/sys" + chip_path(kFirst, "hwmon3") + "/temp2_input"});
  }
  SECTION("the file is gone") {
    tree.remove(input);
  }
  SECTION("the file is a folder") {
    tree.remove(input).folder(input);
  }
  SECTION("the file is empty") {
    tree.file(input, "");
  }
  SECTION("the text is no number") {
    tree.file(input, "N/A\n");
  }
  SECTION("the text is a number that is none") {
    tree.file(input, GENERATE("nan\n", "inf\n", "-inf\n", "1e300\n"));
  }
  SECTION("no channel has the label") {
    tree.remove(kChip + "/temp2_label");
  }
  SECTION("the label is another") {
    tree.file(kChip + "/temp2_label", "hotspot\n");
  }
  SECTION("the chip has no name") {
    tree.remove(kChip + "/name");
    expected = kNone;
  }
  SECTION("the card sleeps: a read would wake it (amdgpu.md 1.6)") {
    tree.file("/sys" + device_path(kFirst) + "/power/runtime_status", "suspended\n");
    expected = kNone;
  }
  SECTION("the card is off the bus: each read would take seconds (amdgpu.md 1.7)") {
    tree.file("/sys" + device_path(kFirst) + "/config", "\xff\xff\xff\xff");
    expected = kNone;
  }
  on_private_machine(covers, [&] {
    const auto cards = looked_at();
    CHECK(opinion_of(cards[0]) == expected);
    CHECK(opinion_of(cards[1]) == "78.0 C, 84.0 C");
  });
}

TEST_CASE(
    "each look finds the chips anew: numbers that changed hands and a card that is gone (amdgpu.md 4.3)") {
  Tree tree;
  write_both(tree);
  on_private_machine(over_sys(tree), [&] {
    REQUIRE(opinion_of(looked_at()[0]) == "52.0 C, 60.0 C");

    tree.remove("/sys/class/hwmon/hwmon3").remove("/sys/class/hwmon/hwmon4");
    tree.remove("/sys" + chip_path(kFirst, "hwmon3")).remove("/sys" + chip_path(kSecond, "hwmon4"));
    write_kernel_card(tree, kFirst, "hwmon4", 53, 61);
    write_kernel_card(tree, kSecond, "hwmon3", 79, 85);
    auto cards = looked_at();
    CHECK(opinion_of(cards[0]) == "53.0 C, 61.0 C");
    CHECK(opinion_of(cards[1]) == "79.0 C, 85.0 C");

    remove_kernel_card(tree, kFirst, "hwmon4");
    cards = looked_at();
    CHECK(opinion_of(cards[0]) == kNone);
    CHECK(opinion_of(cards[1]) == "79.0 C, 85.0 C");

    write_kernel_card(tree, kFirst, "hwmon0", 47, 58);
    cards = looked_at();
    CHECK(opinion_of(cards[0]) == "47.0 C, 58.0 C");
    CHECK(opinion_of(cards[1]) == "79.0 C, 85.0 C");
  });
}

TEST_CASE(
    "a number that changes hands while it is read gives no opinion, not the other card's (amdgpu.md 4.3)") {
  Tree tree;
  write_both(tree);
  on_private_machine(over_sys(tree), [&] {
    auto cards = sampled();
    SwapMeanwhile meanwhile(tree);
    read_second_opinion(cards);
    REQUIRE(meanwhile.end());
    CHECK(opinion_of(cards[0]) == kNone);
    CHECK((opinion_of(cards[1]) == kNone || opinion_of(cards[1]) == "78.0 C, 84.0 C"));
  });
}

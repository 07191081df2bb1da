#include "catch.h"
#include "observe/card_fixture.h"
#include "observe/sensor_files.h"
#include "observe/sensors.h"

using namespace interlock;
using namespace interlock::observe;
using namespace interlock::tests;

namespace {

std::string junction(SensorFiles& files) {
  const CardSample sample = files.look(Instant{});
  if (!sample.channel(Channel::junction)) return "not read";
  const FileRead& input = sample.channel(Channel::junction)->input;
  return input.error == 0 ? input.text : "errno " + std::to_string(input.error);
}

struct OneCard {
  Tree tree;
  std::string hwmon = pci_folder(kGpu1) + "/hwmon/hwmon3/";
  OneCard() { write_card(tree, kGpu1, 1, 129, "hwmon3"); }
  SensorFiles files() { return {tree.root(), kGpu1}; }
};

}  // namespace

TEST_CASE("open descriptors give the same sample as a fresh look through the seam") {
  OneCard card;
  SensorFiles files(card.tree.root(), kGpu1);
  for (int look = 0; look < 2; ++look) {
    CardSample expected = sample_card(card.tree.host(), kGpu1);
    expected.taken_at = instant_from_ns(77);
    CHECK(files.look(instant_from_ns(77)) == expected);
  }
}

TEST_CASE("each look reads again what the open files hold") {
  OneCard card;
  SensorFiles files(card.tree.root(), kGpu1);
  CHECK(junction(files) == "62000\n");
  card.tree.file(card.hwmon + "temp2_input", "99000\n");
  CHECK(junction(files) == "99000\n");
}

TEST_CASE("a removed file does not go on giving its last value (design, section 4)") {
  OneCard card;
  SensorFiles files(card.tree.root(), kGpu1);
  CHECK(junction(files) == "62000\n");
  card.tree.remove(card.hwmon + "temp2_input");
  CHECK(junction(files) == "errno 2");
  card.tree.file(card.hwmon + "temp2_input", "61000\n");
  CHECK(junction(files) == "61000\n");
}

TEST_CASE("after a reset the card is found again under another hwmon number (T10)") {
  OneCard card;
  SensorFiles files(card.tree.root(), kGpu1);
  CHECK(junction(files) == "62000\n");
  card.tree.remove(pci_folder(kGpu1) + "/hwmon/hwmon3");
  CHECK(junction(files) == "errno 2");
  write_hwmon(card.tree, kGpu1, "hwmon5");
  CHECK(junction(files) == "62000\n");
}

TEST_CASE("a card that comes back as another folder is opened anew, though its old files can still be read") {
  OneCard card;
  SensorFiles files(card.tree.root(), kGpu1);
  CHECK(junction(files) == "62000\n");
  std::filesystem::rename(card.tree.real(pci_folder(kGpu1)), card.tree.real("/old"));
  CHECK(!files.look(Instant{}).present);
  write_card(card.tree, kGpu1, 1, 129, "hwmon3");
  card.tree.file(card.hwmon + "temp2_input", "40000\n");
  CHECK(junction(files) == "40000\n");
}

TEST_CASE("a label that changes under an open file is seen with the next sample") {
  OneCard card;
  SensorFiles files(card.tree.root(), kGpu1);
  CHECK(junction(files) == "62000\n");
  card.tree.file(card.hwmon + "temp2_label", "edge\n");
  CHECK(junction(files) == "errno 2");
}

TEST_CASE("a sleeping card keeps its files open and unread, and is read when it wakes") {
  OneCard card;
  SensorFiles files(card.tree.root(), kGpu1);
  CHECK(junction(files) == "62000\n");
  card.tree.file(pci_folder(kGpu1) + "/power/runtime_status", "suspended\n");
  CHECK(junction(files) == "not read");
  card.tree.file(pci_folder(kGpu1) + "/power/runtime_status", "active\n");
  CHECK(junction(files) == "62000\n");
}

TEST_CASE("a card that appears later is found, and a root folder that is missing is no absent card") {
  Tree tree;
  SensorFiles files(tree.root(), kGpu1);
  CHECK(!files.look(Instant{}).present);
  write_card(tree, kGpu1, 1, 129, "hwmon3");
  CHECK(junction(files) == "62000\n");

  SensorFiles nowhere(tree.root() + "/none", kGpu1);
  const CardSample sample = nowhere.look(Instant{});
  CHECK(sample.present);
  CHECK(sample.channel(Channel::junction)->input.error != 0);
}

TEST_CASE("looking again and again leaks no descriptor, whatever fails") {
  OneCard card;
  SensorFiles files(card.tree.root(), kGpu1);
  const auto open_files = [] {
    return std::distance(std::filesystem::directory_iterator("/proc/self/fd"),
                         std::filesystem::directory_iterator());
  };
  CHECK(junction(files) == "62000\n");
  const auto before = open_files();
  for (int round = 0; round < 20; ++round) {
    card.tree.remove(card.hwmon + "temp2_input");
    static_cast<void>(junction(files));
    card.tree.file(card.hwmon + "temp2_input", "62000\n");
    CHECK(junction(files) == "62000\n");
  }
  CHECK(open_files() == before);
}

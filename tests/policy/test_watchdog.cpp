// The shell watchdog's settings: each value is taken as it stands, or not at all and with a word.
#include "catch.h"
#include "policy/watchdog.h"

using namespace interlock;

namespace {

struct Taken {
  Watchdog watchdog;
  std::string remarks;
};

Taken taken(std::string_view text) {
  std::vector<Remark> remarks;
  Taken result{read_watchdog(parse_environment_file(text), remarks), ""};
  for (const Remark& remark : remarks)
    result.remarks += std::to_string(remark.line) + ": " + remark.message + "\n";
  return result;
}

const PciAddress kFirst = *PciAddress::parse("0000:03:00.0");
const PciAddress kSecond = *PciAddress::parse("0000:83:00.0");

}  // namespace

TEST_CASE("every key of the watchdog is taken") {
  const auto [watchdog, remarks] = taken(
      "GPU_PCI_ADDRESS=0000:03:00.0\nTRIP_JUNCTION_C=102\nTRIP_MEM_C=101\nRESUME_C=85\nPOLL_SECS=2\n"
      "GPU_SERVICE_MAP=0000:03:00.0=120:llamacpp.service,0000:83:00.0=123:llamacpp-qwen38fn\n"
      "AUTO_RESUME=0\nWATCHDOG_ACTION=stop\n");
  CHECK(remarks.empty());
  CHECK(watchdog.cards == std::vector{kFirst, kSecond});
  REQUIRE(watchdog.services.size() == 2);
  CHECK(watchdog.services[1] ==
        ServiceOfCard{kSecond, *Vmid::parse("123"), *UnitName::parse("llamacpp-qwen38fn.service"), 6});
  CHECK(watchdog.trip_junction == Celsius::from_degrees(102));
  CHECK(watchdog.trip_memory == Celsius::from_degrees(101));
  CHECK(watchdog.resume == Celsius::from_degrees(85));
  CHECK(watchdog.poll == std::chrono::seconds(2));
  CHECK(watchdog.auto_resume == false);
  CHECK(watchdog.action == "stop");
}

TEST_CASE("several cards, in lspci's short form too, each once") {
  const auto [watchdog, remarks] = taken("GPU_PCI_ADDRESS=\"0000:03:00.0, 83:00.0 0000:03:00.0\"\n");
  CHECK(watchdog.cards == std::vector{kFirst, kSecond});
  CHECK(remarks.find("1: GPU_PCI_ADDRESS: '83:00.0' has no domain") != std::string::npos);
}

TEST_CASE("a number that is none is left out, and never taken for 0 (two-v620 failure 4)") {
  for (const char* value : {"", "hot", "102C", "102.5", "0x66", "0", "-5", "131", "99999999999999999999"}) {
    INFO(value);
    const auto [watchdog, remarks] = taken(std::string("TRIP_JUNCTION_C=") + value + "\n");
    CHECK(!watchdog.trip_junction);
    CHECK(remarks.find("1: TRIP_JUNCTION_C: ") != std::string::npos);
  }
}

TEST_CASE("seconds may have a part, as sleep takes them, within what a guard can do") {
  CHECK(taken("POLL_SECS=0.5\n").watchdog.poll == std::chrono::milliseconds(500));
  CHECK(taken("POLL_SECS=.25\n").watchdog.poll == std::chrono::milliseconds(250));
  CHECK(taken("POLL_SECS=10\n").watchdog.poll == std::chrono::seconds(10));
  for (const char* value :
       {"", ".", "0", "0.01", "11", "-1", "1.-5", "1e3", "two", "1.0001", "99999999999999999999"}) {
    INFO(value);
    const auto [watchdog, remarks] = taken(std::string("POLL_SECS=") + value + "\n");
    CHECK(!watchdog.poll);
    CHECK_FALSE(remarks.empty());
  }
}

TEST_CASE("yes and no in the words that scripts use; another word is neither") {
  for (const char* yes : {"1", "yes", "TRUE", "on"})
    CHECK(taken(std::string("AUTO_RESUME=") + yes + "\n").watchdog.auto_resume == true);
  for (const char* no : {"0", "no", "False", "off", ""})
    CHECK(taken(std::string("AUTO_RESUME=") + no + "\n").watchdog.auto_resume == false);
  CHECK(!taken("AUTO_RESUME=maybe\n").watchdog.auto_resume);
}

TEST_CASE("an entry of the map that is not whole is left out by itself") {
  const auto [watchdog, remarks] = taken(
      "GPU_SERVICE_MAP=0000:03:00.0=120:llamacpp.service,nonsense,0000:83:00.0=12:a.service,"
      "0000:83:00.0=123:a.timer,gpu2=123:a.service,,0000:03:00.0=120:llamacpp\n");
  CHECK(watchdog.services.size() == 1);
  CHECK(watchdog.cards == std::vector{kFirst, kSecond});
  for (const char* part :
       {"'nonsense'", "'12' is no container", "'a.timer' is no service", "'gpu2' is no PCI"}) {
    INFO(part << " in " << remarks);
    CHECK(remarks.find(part) != std::string::npos);
  }
}

TEST_CASE("a key that is not known is named with its line") {
  CHECK(taken("# none\nFAN_SPEED=80\n").remarks.find("2: FAN_SPEED is no key") != std::string::npos);
}

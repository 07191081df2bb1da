#include "catch.h"
#include "daemon/trip_text.h"

using namespace interlock;
using namespace interlock::daemon;

namespace {

const PciAddress kGpu1 = *PciAddress::parse("0000:03:00.0");

KeptTrips some_trips() {
  KeptTrips trips;
  trips.saved_at = instant_from_ns(9'000'000'000);
  KeptTrip& kept = trips.cards[kGpu1];
  kept.memory.warm = true;
  kept.memory.held_since = instant_from_ns(5);
  kept.memory.channels[0].hot_in_a_row = 1;
  kept.memory.channels[0].last_good = Celsius::from_milli(101'500);
  kept.memory.channels[0].trusted_at = instant_from_ns(8'999'000'000);
  kept.memory.channels[1].parked = true;
  kept.shed = {"120/llamacpp.service", "host/odd\xffname.service"};
  return trips;
}

}  // namespace

TEST_CASE(
    "a running grace goes on after a restart of the daemon (issue: latches and running graces survive)") {
  const auto kept = parse_trips(trips_text(some_trips(), "boot-a"), "boot-a");
  REQUIRE(kept);
  CHECK(kept->saved_at == some_trips().saved_at);
  REQUIRE(kept->cards.contains(kGpu1));
  const KeptTrip& trip = kept->cards.at(kGpu1);
  CHECK(trip.memory.warm);
  CHECK(trip.memory.held_since == instant_from_ns(5));
  CHECK(trip.memory.channels[0].hot_in_a_row == 1);
  CHECK(trip.memory.channels[0].last_good == Celsius::from_milli(101'500));
  CHECK(trip.memory.channels[0].trusted_at == instant_from_ns(8'999'000'000));
  CHECK_FALSE(trip.memory.channels[1].last_good);
  CHECK_FALSE(trip.memory.channels[1].trusted_at);
  CHECK(trip.memory.channels[1].parked);
  CHECK(trip.shed == some_trips().cards.at(kGpu1).shed);
}

TEST_CASE("instants of another boot mean nothing, and are not taken for this one's") {
  const auto kept = parse_trips(trips_text(some_trips(), "boot-a"), "boot-b");
  REQUIRE(kept);
  CHECK(kept->cards.empty());
}

TEST_CASE("any damage to what the guard remembered is noticed, byte by byte") {
  const std::string whole = trips_text(some_trips(), "boot-a");
  CHECK_FALSE(parse_trips("", "boot-a"));
  for (std::size_t i = 0; i < whole.size(); ++i) {
    std::string damaged = whole;
    damaged[i] = static_cast<char>(damaged[i] ^ 1);
    INFO("byte " << i);
    CHECK_FALSE(parse_trips(damaged, "boot-a"));
    CHECK_FALSE(parse_trips(whole.substr(0, i), "boot-a"));
  }
}

// Trips for cards that nobody has set any for: below what the driver powers the host off at (amdgpu.md 1.10).
#include "catch.h"
#include "decide/sketch_limits.h"

using namespace interlock;
using namespace interlock::decide;

namespace {

NamedCard card(const char* id, std::optional<int> critical, std::optional<int> emergency) {
  FoundCard found{.pci = *PciAddress::parse("0000:03:00.0")};
  ChannelLimits limits;
  if (critical) limits.critical = Celsius::from_degrees(*critical);
  if (emergency) limits.emergency = Celsius::from_degrees(*emergency);
  found.channels = {"edge", "junction"};
  found.limits[0] = limits;
  return {*CardId::parse(id), found};
}

struct Drawn {
  Noted<Limits> limits;
  std::vector<Remark> remarks;
  std::int64_t trip() const { return limits.value.trip.milli() / 1000; }
};

Drawn drawn(const std::vector<NamedCard>& cards) {
  std::vector<Remark> remarks;
  auto limits = limits_for(Channel::junction, cards, remarks);
  return {std::move(limits), std::move(remarks)};
}

}  // namespace

TEST_CASE("a trip stands 8 C below emergency and 3 below critical, whichever is lower, and in order") {
  const Drawn usual = drawn({card("gpu1", 105, 110)});
  CHECK(usual.trip() == 102);
  CHECK(usual.limits.value.warn == Celsius::from_degrees(95));
  CHECK(usual.limits.value.resume == Celsius::from_degrees(85));
  CHECK(usual.limits.note.find("emergency limit of gpu1, 110.0 C") != std::string::npos);
  CHECK(usual.remarks.empty());
  CHECK(drawn({card("gpu1", 100, 115)}).trip() == 97);
  CHECK(drawn({card("gpu1", std::nullopt, 110)}).trip() == 102);
}

TEST_CASE("of several cards the one that is the first to get too hot counts") {
  const Drawn two = drawn({card("gpu1", 110, 115), card("gpu2", 94, 99)});
  CHECK(two.trip() == 91);
  CHECK(two.limits.note.find("gpu2") != std::string::npos);
}

TEST_CASE("a limit that a driver leaves at 0 is none, and said to be (amdgpu.md 1.4)") {
  for (const std::optional<int> nonsense :
       {std::optional<int>(0), std::optional<int>(-273), std::optional<int>(65535), std::optional<int>()}) {
    const Drawn one = drawn({card("gpu1", 105, nonsense)});
    CHECK(one.trip() == 102);  // by the critical one
    REQUIRE(one.remarks.size() == 1);
    CHECK(one.remarks[0].message.find("emergency limit of junction of gpu1") != std::string::npos);
    const Drawn none = drawn({card("gpu1", nonsense, nonsense)});
    CHECK(none.trip() == kTripWithoutLimits);
    CHECK(none.limits.note.starts_with("ours: no card told"));
    CHECK(none.remarks.size() == 2);
  }
}

TEST_CASE("a card that lacks a channel is told of, and does not lift the others' trip") {
  NamedCard old = card("gpu2", 105, 110);
  old.found.limits[0].reset();
  const Drawn two = drawn({card("gpu1", 105, 110), old});
  CHECK(two.trip() == 102);
  REQUIRE(two.remarks.size() == 1);
  CHECK(two.remarks[0].message.find("junction of gpu2 was not seen") != std::string::npos);
}

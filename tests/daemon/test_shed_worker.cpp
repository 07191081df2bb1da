#include "catch.h"
#include "daemon/shed_worker.h"

using namespace interlock;
using namespace interlock::daemon;
using namespace std::chrono_literals;

namespace {

Instant at(Duration since_boot) {
  return Instant{since_boot};
}

}  // namespace

TEST_CASE("three refills within a minute are too many; three in a long time are not (11.10)") {
  Refills refills;
  refills.add(at(0s));
  refills.add(at(30s));
  CHECK_FALSE(refills.too_many(at(30s)));
  refills.add(at(59s));
  CHECK(refills.too_many(at(60s)));
  CHECK_FALSE(refills.too_many(at(61s)));
  refills.add(at(100s));
  CHECK_FALSE(refills.too_many(at(100s)));
  CHECK(refills.total() == 4);
}

TEST_CASE("what a worker did comes through as it was, for every rung") {
  for (const act::Rung rung :
       {act::Rung::freeze, act::Rung::stop_unit, act::Rung::kill, act::Rung::stop_container,
        act::Rung::kill_container, act::Rung::last_resort}) {
    const act::ShedEvent event{rung, "120/llama\xff.service", "said \"no\"\n", true};
    const auto seen = parse_shed_event(shed_event_line(event));
    REQUIRE(seen);
    CHECK(seen->rung == rung);
    CHECK(seen->subject == event.subject);
    CHECK(seen->text == event.text);
    CHECK(seen->empty);
  }
  CHECK_FALSE(parse_shed_event(R"({"end":true})"));
  CHECK_FALSE(parse_shed_event("Killed"));
}

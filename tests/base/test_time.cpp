#include "base/time.h"
#include "catch.h"

using namespace interlock;
using namespace std::chrono_literals;

TEST_CASE("an instant goes to a file as nanoseconds and comes back the same") {
  const Instant at = instant_from_ns(123'456'789'012'345);
  CHECK(to_ns(at) == 123'456'789'012'345);
  CHECK(instant_from_ns(to_ns(at)) == at);
  CHECK(at + 2s - at == 2s);
}

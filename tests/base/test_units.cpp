#include "base/units.h"
#include "catch.h"

using namespace interlock;

TEST_CASE("temperatures are whole millidegrees, and shown to a tenth") {
  CHECK(Celsius::from_milli(103'000) == Celsius::from_degrees(103));
  CHECK(Celsius::from_milli(101'999) < Celsius::from_degrees(102));
  CHECK(Celsius::from_degrees(102) - Celsius::from_degrees(95) == Celsius::from_degrees(7));
  CHECK(Celsius::from_degrees(102) + Celsius::from_milli(500) == Celsius::from_milli(102'500));
  CHECK(to_string(Celsius::from_milli(103'000)) == "103.0 C");
  CHECK(to_string(Celsius::from_milli(-8'400)) == "-8.4 C");
}

TEST_CASE("amounts of memory are shown in the unit that reads best") {
  CHECK(bytes_text(0) == "0 KiB");
  CHECK(bytes_text(512 * kKiB) == "512 KiB");
  CHECK(bytes_text(64 * kMiB) == "64 MiB");
  CHECK(bytes_text(1024 * kMiB) == "1.0 GiB");
  CHECK(bytes_text(28'561'965'056) == "26.6 GiB");
}

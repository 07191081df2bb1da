#include "catch.h"
#include "policy/quantity.h"

using namespace interlock;
using namespace std::chrono_literals;

TEST_CASE("a duration is a whole number and its unit") {
  CHECK(parse_duration("500ms") == 500ms);
  CHECK(parse_duration("2s") == 2s);
  CHECK(parse_duration("20m") == 20min);
  CHECK(parse_duration("1h") == 1h);
  CHECK(parse_duration("0s") == 0s);
}

TEST_CASE(
    "a duration that a person might mean otherwise is none: no bare number, no blank, no fraction, no sign") {
  for (const char* text :
       {"", "2", "s", "2 s", "1.5s", "-2s", "+2s", "2S", "2sec", "2s ", " 2s", "0x2s", "2min"}) {
    INFO(text);
    CHECK_FALSE(parse_duration(text));
  }
}

TEST_CASE("a duration too long for the clock is none, not a short one") {
  CHECK_FALSE(parse_duration("99999999999999999999s"));
  CHECK_FALSE(parse_duration("9223372036855s"));
  CHECK_FALSE(parse_duration("18446744073709551615h"));
  CHECK(parse_duration("9223372036s") == 9223372036s);
}

TEST_CASE("a size is a whole number and its binary unit") {
  CHECK(parse_size("512KiB") == 512 * kKiB);
  CHECK(parse_size("64MiB") == 64 * kMiB);
  CHECK(parse_size("2GiB") == 2048 * kMiB);
  for (const char* text : {"", "64", "64MB", "64M", "64 MiB", "-1MiB", "1.5GiB", "17179869184GiB"}) {
    INFO(text);
    CHECK_FALSE(parse_size(text));
  }
}

TEST_CASE("a duration is shown in the largest unit that is exact") {
  CHECK(duration_text(1500ms) == "1500ms");
  CHECK(duration_text(2s) == "2s");
  CHECK(duration_text(120s) == "2m");
  CHECK(duration_text(25h) == "25h");
  CHECK(duration_text(0s) == "0ms");
}

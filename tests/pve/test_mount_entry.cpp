// One line of a mount table (cases/bindings.md, B07, B18; pct.md 6 B).
#include "catch.h"
#include "pve/mount_entry.h"

using namespace interlock::pve;

TEST_CASE("a mount entry's fields are blank-separated, and those behind the fourth do not matter (B07)") {
  const auto entry = parse_mount_entry("/dev/dri  dev/dri\tnone bind,optional,create=dir 0, 0 x");
  REQUIRE(entry);
  CHECK(entry->source == "/dev/dri");
  CHECK(entry->target == "/dev/dri");
  CHECK(entry->type == "none");
  CHECK(entry->bind);
  CHECK(entry->optional);
  CHECK_FALSE(entry->relative);
}

TEST_CASE("octal escapes are decoded, and what only looks like one is not (B18)") {
  CHECK(parse_mount_entry("/dev/dri/render\\104128 x none bind")->source == "/dev/dri/renderD128");
  CHECK(parse_mount_entry("/a\\040b c\\134d none bind")->source == "/a b");
  CHECK(parse_mount_entry("/a\\040b c\\134d none bind")->target == "/c\\d");
  CHECK(parse_mount_entry("/a\\\\b c none bind")->source == "/a\\b");
  CHECK(parse_mount_entry("/a\\09 c none bind")->source == "/a\\09");
  CHECK(parse_mount_entry("/a\\ c none bind")->source == "/a\\");
  CHECK(parse_mount_entry("/a\\777 c none bind")->source == "/a\xff");
}

TEST_CASE("options are whole words") {
  CHECK_FALSE(parse_mount_entry("/a b none nobind,optionally")->bind);
  CHECK_FALSE(parse_mount_entry("/a b none nobind,optionally")->optional);
  CHECK(parse_mount_entry("/a b none rbind")->bind);
  CHECK(parse_mount_entry("/a b none bind,relative")->relative);
}

TEST_CASE("an entry without options counts as a bind: better one too many") {
  CHECK(parse_mount_entry("/a b")->bind);
  CHECK(parse_mount_entry("/a b none")->bind);
}

TEST_CASE("no entry") {
  CHECK_FALSE(parse_mount_entry(""));
  CHECK_FALSE(parse_mount_entry("  "));
  CHECK_FALSE(parse_mount_entry("/dev/dri"));
  CHECK_FALSE(parse_mount_entry("# /dev/dri dev/dri none bind"));
}

// "a,key=b": values of devN and mpN (pct.md, section 2).
#include "catch.h"
#include "pve/property_string.h"

using namespace interlock::pve;

TEST_CASE("the piece without a key is the default one, wherever it stands") {
  CHECK(PropertyString("/dev/kfd,gid=993", "path").find("path") == "/dev/kfd");
  CHECK(PropertyString("gid=993,/dev/kfd", "path").find("path") == "/dev/kfd");
  CHECK(PropertyString("path=/dev/kfd", "path").find("path") == "/dev/kfd");
  CHECK(PropertyString("/dev/kfd,gid=993", "path").find("gid") == "993");
}

TEST_CASE("an = inside a path does not make a key of it") {
  CHECK(PropertyString("/mnt/a=b,mp=/x", "volume").find("volume") == "/mnt/a=b");
}

TEST_CASE("what is not there, or empty, is nothing") {
  CHECK_FALSE(PropertyString("", "path").find("path"));
  CHECK_FALSE(PropertyString("gid=", "path").find("gid"));
  CHECK_FALSE(PropertyString("gid=1", "path").find("path"));
}

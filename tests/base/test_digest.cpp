#include "base/digest.h"
#include "catch.h"

using namespace interlock;

// FIPS 180, appendix examples.
TEST_CASE("SHA-1 is what sha1sum and `pct set --digest` say (pct.md 1.4)") {
  CHECK(sha1_hex("abc") == "a9993e364706816aba3e25717850c26c9cd0d89d");
  CHECK(sha1_hex("") == "da39a3ee5e6b4b0d3255bfef95601890afd80709");
}

TEST_CASE("SHA-256 is what sha256sum says") {
  CHECK(sha256_hex("abc") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  CHECK(sha256_hex(std::string_view("\0\xff", 2)).size() == 64);
}

// A test that aborts where it should have failed.
#include <cstdlib>

#include "catch.h"

TEST_CASE("it aborts") {
  std::abort();
}
TEST_CASE("it passes") {
  CHECK(true);
}

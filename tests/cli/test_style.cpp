#include "catch.h"
#include "cli/style.h"

using namespace interlock::cli;

TEST_CASE("columns line up by what is seen, not by the bytes that colour it") {
  const Style style{.colour = true};
  const auto text = table({{"A", "B"}, {{"hot", style.bad("hot")}, "2"}, {"", "3"}, {"x", ""}}, "  ");
  CHECK(text == "  A    B\n  \x1b[31;1mhot\x1b[0m  2\n       3\n  x\n");
}

TEST_CASE("without colour nothing but the text is written") {
  CHECK(Style{}.bad("hot") == "hot");
  CHECK(Style{}.dim("so") == "so");
}

TEST_CASE("counts agree with their nouns") {
  CHECK(counted(1, "card") == "1 card");
  CHECK(counted(0, "card") == "0 cards");
  CHECK(counted(2, "card") == "2 cards");
}

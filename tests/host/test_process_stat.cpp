#include "catch.h"
#include "host/process_stat.h"

using namespace interlock;

namespace {
std::string stat_line(const std::string& comm) {
  return "4711 (" + comm +
         ") S 1 4711 4711 0 -1 4194560 1 2 3 4 5 6 7 8 20 0 12 0 987654 1000 200 "
         "18446744073709551615 1 1 0 0 0 0 0 0 0 0 0 0 17 1 0 0 0 0 0\n";
}
}  // namespace

TEST_CASE(
    "the start time is found behind names with blanks and parentheses, which any process may give itself") {
  for (const std::string comm : {"llama-server", "a b", "x) R 1 1 1", "((", "))", ""}) {
    INFO(comm);
    const auto stat = parse_process_stat(stat_line(comm));
    REQUIRE(stat);
    CHECK(stat->command == comm);
    CHECK(stat->state == 'S');
    CHECK(stat->started == 987654);
  }
}

TEST_CASE("a stat line that is not whole gives nothing, so that no process is taken for another") {
  const std::string whole = stat_line("llama");
  CHECK(!parse_process_stat(""));
  CHECK(!parse_process_stat("4711"));
  CHECK(!parse_process_stat("4711 )(llama S 1"));
  CHECK(!parse_process_stat(whole.substr(0, whole.find(" 987654"))));
  CHECK(!parse_process_stat("4711 (l) S 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 minus-one 20"));
}

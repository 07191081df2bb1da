// An environment file as systemd and a shell would take it; where they differ somebody must be told (two-v620
// failure 11: a value without quotes).
#include "catch.h"
#include "policy/environment_file.h"

using namespace interlock;

namespace {

std::string value_of(std::string_view text, std::string_view key = "KEY") {
  for (const Assignment& assignment : parse_environment_file(text).assignments) {
    if (assignment.key == key) return assignment.value;
  }
  return "<none>";
}

/// "LINE: message", all of them.
std::string remarks_of(std::string_view text) {
  std::string all;
  for (const Remark& remark : parse_environment_file(text).remarks)
    all += std::to_string(remark.line) + ": " + remark.message + "\n";
  return all;
}

bool says(std::string_view text, std::string_view part) {
  const std::string all = remarks_of(text);
  INFO(all);
  return all.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("values are read with and without quotes, and nothing is said of a clean file") {
  for (const auto& [line, value] : std::vector<std::pair<std::string, std::string>>{
           {"KEY=102", "102"},
           {"KEY=", ""},
           {"KEY=\"a b\"", "a b"},
           {"KEY='a $b `c` \\'", "a $b `c` \\"},
           {"KEY=\"a \\\"b\\\" \\$c \\\\ \\d\"", "a \"b\" $c \\ \\d"},
           {"KEY=a\\ b", "a b"},
           {"KEY=a\"b c\"'d'", "ab cd"},
           {"  KEY=102  ", "102"},
           {"KEY=0000:03:00.0=120:llamacpp.service", "0000:03:00.0=120:llamacpp.service"},
           {"KEY=a#b", "a#b"}}) {
    INFO(line);
    CHECK(value_of(line + "\n") == value);
    CHECK(remarks_of(line + "\n").empty());
  }
}

TEST_CASE("comments, empty lines and an empty file are passed over") {
  CHECK(parse_environment_file("").assignments.empty());
  const std::string text = "# KEY=1\n\n; KEY=2\n   # KEY=3 \\\nKEY=4\n";
  CHECK(value_of(text) == "4");
  CHECK(remarks_of(text).empty());
}

TEST_CASE("a backslash at the end of a line joins the next one, and the line's number is its first") {
  const auto file = parse_environment_file("MAP=one,\\\ntwo,\\\nthree\nKEY=x\\\\\nLAST=1\n");
  REQUIRE(file.assignments.size() == 3);
  CHECK(file.assignments[0] == Assignment{"MAP", "one,two,three", 1});
  CHECK(file.assignments[1] == Assignment{"KEY", "x\\", 4});
  CHECK(file.assignments[2] == Assignment{"LAST", "1", 5});
}

TEST_CASE("of a key that stands twice the last one counts, and it is said") {
  const auto file = parse_environment_file("KEY=1\nOTHER=2\nKEY=3\n");
  REQUIRE(file.assignments.size() == 2);
  CHECK(file.assignments[1] == Assignment{"KEY", "3", 3});
  CHECK(says("KEY=1\nOTHER=2\nKEY=3\n", "3: KEY stands in line 1 already"));
}

TEST_CASE("what systemd and a shell take differently is read one way, and said") {
  CHECK(value_of("export KEY=102\n") == "102");
  CHECK(says("export KEY=102\n", "1: systemd passes over"));
  CHECK(value_of("KEY=102 # junction\n") == "102");
  CHECK(says("KEY=102 # junction\n", "KEY: systemd would take the comment"));
  CHECK(value_of("KEY=a b\n") == "a b");
  CHECK(says("KEY=a b\n", "KEY: a value with a blank in it needs quotes"));
  CHECK(value_of("KEY=102\r\nOTHER=1\r\n") == "102");
  CHECK(says("KEY=102\r\nOTHER=1\r\n", "1: the lines end in CR LF"));
}

TEST_CASE("nothing is executed or expanded: a value that a shell would make up is left out") {
  for (const char* line : {"KEY=$OTHER", "KEY=\"$(rm -rf /)\"", "KEY=`date`", "KEY=a${B}"}) {
    INFO(line);
    CHECK(value_of(std::string(line) + "\n") == "<none>");
    CHECK(says(line, "KEY is left out"));
  }
}

TEST_CASE("what is no assignment is said with its line, whatever bytes it has") {
  for (const char* line :
       {"just words", "=1", "KEY =1", "1KEY=1", "K-EY=1", "if true; then", "export", "\x01\xff"}) {
    INFO(line);
    CHECK(parse_environment_file(line).assignments.empty());
    CHECK(says(line, "1: '"));
  }
  CHECK(says("KEY=\"open\nOTHER=1\n", "KEY is left out: its quote"));
  CHECK(value_of("KEY=\"open\nOTHER=1\n", "OTHER") == "1");
}

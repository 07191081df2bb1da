#include <cstdint>

#include "base/text.h"
#include "catch.h"

using namespace interlock;

namespace {
using Pieces = std::vector<std::string_view>;
}

TEST_CASE("a number is the whole text or nothing: a sensor's garbage is never half a temperature") {
  CHECK(parse_number<int>("47000") == 47000);
  CHECK(parse_number<int>("-8") == -8);
  CHECK(parse_number<unsigned>("1f", 16) == 0x1fU);
  for (const std::string_view text :
       {"", "-", "+5", " 5", "5 ", "5\n", "47000garbage", "0x10", "1e3", "nan", "5.0"}) {
    INFO(text);
    CHECK(!parse_number<int>(text));
  }
}

TEST_CASE("a number that does not fit is nothing, not a wrapped one (amdgpu.md O34)") {
  CHECK(parse_number<std::uint8_t>("255") == 255);
  CHECK(!parse_number<std::uint8_t>("256"));
  CHECK(!parse_number<unsigned>("-1"));
  CHECK(!parse_number<std::int64_t>("9223372036854775808"));
}

TEST_CASE("blanks go at the ends alone, CR and LF among them") {
  CHECK(trimmed(" \t56000 C\r\n") == "56000 C");
  CHECK(trimmed(" \n").empty());
  CHECK(trimmed("").empty());
  CHECK(trimmed(std::string_view("5\0", 2)).size() == 2);  // a NUL byte is no blank (T01)
}

TEST_CASE("pieces between separators, empty ones too") {
  CHECK(split("a,,b", ',') == Pieces{"a", "", "b"});
  CHECK(split("", ',') == Pieces{""});
  CHECK(split(",", ',') == Pieces{"", ""});
}

TEST_CASE("words are never empty") {
  CHECK(words("  c  226:*\trwm ") == Pieces{"c", "226:*", "rwm"});
  CHECK(words(" \t ").empty());
}

TEST_CASE("a last line needs no LF, and a final LF begins no other line (case B04)") {
  CHECK(lines_of("a\nb") == Pieces{"a", "b"});
  CHECK(lines_of("a\nb\n") == Pieces{"a", "b"});
  CHECK(lines_of("a\n\n") == Pieces{"a", ""});
  CHECK(lines_of("\n") == Pieces{""});
  CHECK(lines_of("a\r\n") == Pieces{"a\r"});
  CHECK(lines_of("").empty());
}

TEST_CASE("joined puts the separator between") {
  CHECK(joined({"a", "b"}, ", ") == "a, b");
  CHECK(joined({}, ", ").empty());
}

TEST_CASE("foreign text shows its control characters instead of acting on the terminal") {
  CHECK(printable("plain text") == "plain text");
  CHECK(printable("\x1b[31m\n\xc3\xa4") == "\\x1b[31m\\x0a\\xc3\\xa4");
}

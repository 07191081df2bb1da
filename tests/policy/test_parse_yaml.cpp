// Texts that are no YAML, or no single document: each has a place and a reason.
#include "policy_text.h"

using namespace interlock;
using namespace interlock::test;

TEST_CASE("an empty policy is an error, and so is one of comments alone") {
  CHECK(error_of("") == "1:1: the policy is empty");
  CHECK(error_of("# later\n\n") == "1:1: the policy is empty");
  CHECK(error_of("---\n") == "1:1: the policy is empty");
  CHECK(error_of("~\n") == "1:1: the policy is empty");
}

TEST_CASE("a tab in the indentation is named as what it is") {
  CHECK(error_of("version: 1\nguard:\n\tpoll: 1s\n") ==
        "3:1: YAML is indented with blanks, and here stands a tab");
  CHECK(error_of("guard:\n  poll: 1s\n  \tslew: 2\n") ==
        "3:3: YAML is indented with blanks, and here stands a tab");
}

TEST_CASE("a tab is fine where YAML allows one") {
  CHECK(errors_of(changed("version: 1", "version: 1\t# a tab before this comment")).empty());
}

TEST_CASE("a syntax error has yaml-cpp's place, counted from 1") {
  CHECK(error_of("version: 1\ncards: { gpu1: {\n").starts_with("3:1: this is not YAML: "));
  CHECK(error_of("a: b: c\n").starts_with("1:5: this is not YAML: "));
  CHECK(error_of("a: 'x\n").find("this is not YAML") ==
        std::string::npos);  // a text to the end; then no policy
  CHECK(error_of("a: *nowhere\n").starts_with("1:4: this is not YAML: the referenced anchor is not defined"));
}

TEST_CASE("a policy that is no map says so") {
  CHECK(error_of("just words\n") == "1:1: the policy: a map of keys is wanted here, not 'just words'");
  CHECK(error_of("- a\n- b\n") == "1:1: the policy: a map of keys is wanted here, not a list");
}

TEST_CASE("a second document is not ignored in silence") {
  CHECK(error_of(and_also("---\nguard: {}\n")) ==
        "17:1: a second YAML document begins here; a policy is one");
}

TEST_CASE("a control character is refused: yaml-cpp takes 0x04 for the end of the file and drops the rest") {
  CHECK(error_of("version: 1\n  \x04\ncards: {}\n") ==
        "2:3: the byte 0x04 has no place in a policy; it is plain UTF-8 text");
  CHECK(error_of(std::string_view("v\0e\0r\0", 6)) ==
        "1:2: the byte 0x00 has no place in a policy; it is plain UTF-8 text");
}

TEST_CASE("bytes that are no UTF-8 are refused at their place, and what is UTF-8 is taken as it is") {
  for (const char* bad :
       {"\xff", "\xc0\xaf", "\xe0\x80\xaf", "\xed\xa0\x80", "\xf4\x90\x80\x80", "\xc3", "\xe2\x82("}) {
    const std::string text = guard_with(std::string("notify: [/bin/") + bad + "]");
    CHECK(error_of(text).starts_with("6:17: the byte 0x"));
  }
  const Policy policy =
      policy_of(guard_with("notify: [/bin/\xc3\xa4\xe2\x82\xac\xf0\x9f\x94\xa5]  # \xc3\xa9"));
  CHECK(policy.guard.notify == std::vector<Argv>{{"/bin/\xc3\xa4\xe2\x82\xac\xf0\x9f\x94\xa5"}});
}

TEST_CASE("nesting without an end is refused, not followed") {
  CHECK(errors_of(std::string(100000, '[')).size() == 1);
  CHECK(errors_of(and_also("timing: &t { command: *t }\n")).size() == 1);
}

TEST_CASE("anchors and aliases are fine") {
  const Policy policy = policy_of(changed("memory:   { warn: 93, trip: 101, resume: 85 }", "memory: *limits")
                                      .replace(std::string(kSound).find("{ warn: 95"), 0, "&limits "));
  CHECK(policy.guard.limits(Channel::memory)->trip == Celsius::from_degrees(102));
}

TEST_CASE("line ends of another system are fine") {
  std::string text;
  for (const char c : kSound) text += c == '\n' ? "\r\n" : std::string(1, c);
  CHECK(errors_of(text).empty());
}

#include "policy_text.h"

using namespace interlock;
using namespace interlock::test;

TEST_CASE("a cutover's name is a command, so it may not hide one (design, section 8)") {
  for (const char* name : {"status", "shed", "recover", "gate", "policy"}) {
    CHECK(error_of(changed("to-large:", std::string(name) + ":")) ==
          std::string("13:3: cutovers.") + name +
              ": a command of gpu-interlock has this name; call the cutover something else");
  }
}

TEST_CASE("a cutover's name can be a word on the command line and an instance of a unit") {
  for (const char* name : {"-x", "\"to large\"", "a/b", "\"\"", "\xc3\xa4"}) {
    CHECK(error_of(changed("to-large:", std::string(name) + ":"))
              .find("a cutover's name has letters, digits") != std::string::npos);
  }
}

TEST_CASE("a cutover without containers reaches nothing, and is an error") {
  CHECK(error_of(and_also("  to-nowhere: {}\n")) ==
        "16:15: cutovers.to-nowhere: it names no container, so there is nothing to reach");
}

TEST_CASE("a container that is not declared is in no cutover (two-v620: the bystander)") {
  CHECK(error_of(changed("    120: { cards", "    121: { state: stopped }\n    120: { cards")) ==
        "15:5: cutovers.to-large.121: container '121' is not among containers; declared: 120, 123");
}

TEST_CASE("one cutover gives a card to one container, unless it is shared (I1)") {
  const std::string twice = changed("{ state: stopped, cards: [] }", "{ cards: [gpu2] }");
  CHECK(error_of(twice) ==
        "14:5: cutovers.to-large: gpu2 is given to containers 120 and 123; only a card with shared: true may "
        "be");
  std::string shared = twice;
  shared.replace(shared.find("\"0000:83:00.0\""), 14, "\"0000:83:00.0\", shared: true");
  CHECK(errors_of(shared).empty());
}

TEST_CASE("a target is the wants of its containers, under the cutover's name") {
  const Target target = policy_of(kSound).cutovers.at("to-large").target();
  CHECK(target.name == "to-large");
  REQUIRE(target.wants.size() == 2);
  CHECK(target.wants.at(*Vmid::parse("123")).state == RunState::stopped);
  CHECK(target.wants.at(*Vmid::parse("120")).serve == UnitName::parse("large.service"));
}

// Proxmox's files of blocks (pve-common, SectionConfig.pm).
#include "catch.h"
#include "pve/section_config.h"

using namespace interlock::pve;

TEST_CASE("blocks and their properties") {
  const auto blocks = parse_section_config(
      "# a comment\nct: 120\n\tgroup main\n\tstate started\n  max_restart 2  \n\n\nvm: 200\r\n\tcomment two "
      "words\n\tflag\n");
  REQUIRE(blocks);
  REQUIRE(blocks->size() == 2);
  CHECK((*blocks)[0].type == "ct");
  CHECK((*blocks)[0].id == "120");
  CHECK(*(*blocks)[0].find("state") == "started");
  CHECK(*(*blocks)[0].find("max_restart") == "2");
  CHECK((*blocks)[0].find("comment") == nullptr);
  CHECK((*blocks)[1].id == "200");
  CHECK(*(*blocks)[1].find("comment") == "two words");
  CHECK((*blocks)[1].find("flag")->empty());
}

TEST_CASE("a block may follow the last one without a blank line, and the file may end without LF") {
  const auto blocks = parse_section_config("ct: 120\n\tstate stopped\nct: 121");
  REQUIRE(blocks);
  CHECK(blocks->size() == 2);
}

TEST_CASE("an empty file has no blocks") {
  CHECK(parse_section_config("")->empty());
  CHECK(parse_section_config("\n# nothing\n")->empty());
}

TEST_CASE("a line that is neither is an error with its number, never passed over") {
  for (const char* text : {"ct: 120\ngarbage\n", "ct:\n", ": 120\n", "ct: 1 2\n", "c t: 1\n",
                           "\tstate started\n", "ct: 120\n\n\tstate started\n", "<html>\n"}) {
    INFO(text);
    const auto blocks = parse_section_config(text);
    REQUIRE_FALSE(blocks);
    CHECK(blocks.error().message.find("line ") == 0);
  }
}

// Whole folders of links and of small files in one go, as the look at every process's open files needs them.
#include <cerrno>

#include "catch.h"
#include "tree.h"

using namespace interlock;
using interlock::tests::Tree;

TEST_CASE("links are listed with their targets as they stand, followed by nobody") {
  Tree tree;
  tree.link("/d/7", "/dev/dri/renderD129").link("/d/10", "socket:[4711]").link("/d/1", "../../../outside");
  tree.file("/d/2", "no link");
  const auto links = tree.host().list_links("/d");
  REQUIRE(links);
  REQUIRE(links->size() == 4);
  CHECK((*links)[0].name == "1");
  CHECK(*(*links)[0].text == "../../../outside");
  CHECK(*(*links)[1].text == "socket:[4711]");
  REQUIRE_FALSE((*links)[2].text);  // "no link" is not "links to nowhere"
  CHECK((*links)[2].text.error().code == EINVAL);
  CHECK(*(*links)[3].text == "/dev/dri/renderD129");
  CHECK(is_missing(tree.host().list_links("/none").error()));
}

TEST_CASE("a folder's files are read, but for those passed over; links in it stay inside the root") {
  Tree tree;
  tree.file("/d/1", "one").file("/d/2", "two").file("/d/3", "three").folder("/d/sub").file("/x", "inside");
  tree.link("/d/4", "/x").link("/d/5", "/nowhere");
  const auto texts = tree.host().read_folder("/d", {"2", "9"});
  REQUIRE(texts);
  REQUIRE(texts->size() == 4);
  CHECK(*(*texts)[0].text == "one");
  CHECK(*(*texts)[1].text == "three");
  CHECK(*(*texts)[2].text == "inside");
  CHECK(is_missing((*texts)[3].text.error()));
  CHECK(is_missing(tree.host().read_folder("/none", {}).error()));
}

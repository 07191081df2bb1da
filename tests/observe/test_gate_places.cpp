#include "catch.h"
#include "observe/gate_places.h"
#include "tree.h"

using namespace interlock;

TEST_CASE("each way to start a container that the gate does not hang in is a gap of its own") {
  tests::Tree tree;
  const auto places = observe::gate_places(tree.host());
  REQUIRE(places.size() == 3);
  CHECK(observe::gate_gaps(tree.host()).value().size() == 3);

  for (const auto& place : places) tree.file(place.path, place.content);
  CHECK(observe::gate_gaps(tree.host()).value().empty());

  tree.file(places[2].path, "# somebody has taken the line out\n");
  CHECK(observe::gate_gaps(tree.host()).value() == std::vector<std::string>{"starts by lxc itself"});
}

TEST_CASE("a place that cannot be read is unknown, not installed and not missing") {
  tests::Tree tree;
  const auto places = observe::gate_places(tree.host());
  tree.folder(places[0].path);  // a folder where the file should be
  CHECK(observe::gate_places(tree.host())[0].installed == Truth::unknown);
  CHECK_FALSE(observe::gate_gaps(tree.host()));
}

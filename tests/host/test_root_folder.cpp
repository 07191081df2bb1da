#include "catch.h"
#include "host/root_folder.h"
#include "tree.h"

using namespace interlock;
using tests::Tree;

TEST_CASE("absolute links resolve inside the root folder, never on the machine itself (design 11.12)") {
  Tree tree;
  tree.file("/etc/hostname", "mocked\n")
      .link("/name", "/etc/hostname")
      .link("/up", "../../../../../etc/hostname");
  CHECK(tree.host().read_file("/name") == "mocked\n");
  CHECK(tree.host().read_file("/up") == "mocked\n");
  CHECK(tree.host().read_file("/../../etc/hostname") == "mocked\n");
  CHECK(tree.host().read_link("/name") == "/etc/hostname");
}

TEST_CASE("a link to a path that only the machine has is missing below the root folder") {
  Tree tree;
  tree.link("/outside", "/proc/self/stat");
  CHECK(is_missing(tree.host().read_file("/outside").error()));
}

TEST_CASE("nothing is written outside the root folder, be it through a link") {
  Tree tree;
  Tree other;
  other.file("/victim", "untouched");
  tree.link("/trap", other.real("/victim").string()).link("/folder", other.root());
  CHECK(!tree.host().append_file("/trap", "x"));
  CHECK(!tree.host().replace_file("/folder/victim", "x", 0600, Durability::plain));
  CHECK(!tree.host().remove_file("/folder/victim"));
  CHECK(other.read("/victim") == "untouched");
}

TEST_CASE("real_path gives what is behind all links, as the host has it") {
  Tree tree;
  tree.file("/dev/dri/renderD129", "").link("/dev/dri/by-path/pci-0000:03:00.0-render", "../renderD129");
  CHECK(tree.host().real_path("/dev/dri/by-path/pci-0000:03:00.0-render") == "/dev/dri/renderD129");
  CHECK(tree.host().real_path("/") == "/");
  tree.remove("/dev/dri/renderD129");
  CHECK(is_missing(tree.host().real_path("/dev/dri/by-path/pci-0000:03:00.0-render").error()));

  const auto real = make_linux_host("/");
  CHECK((*real)->real_path("/proc/self") == "/proc/" + std::to_string(::getpid()));
}

TEST_CASE("the root \"/\" under any spelling is the machine itself, everything else is rooted") {
  CHECK(!(*make_linux_host("/"))->rooted());
  CHECK(!(*make_linux_host("//tmp/.."))->rooted());
  Tree tree;
  CHECK(tree.host().rooted());
  CHECK(RootFolder::open_root(tree.root())->path() == tree.root());
  CHECK(is_missing(make_linux_host(tree.root() + "/none").error()));
  tree.file("/file", "");
  CHECK(!make_linux_host(tree.root() + "/file"));
}

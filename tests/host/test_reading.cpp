#include <sys/stat.h>

#include "catch.h"
#include "tree.h"

using namespace interlock;
using tests::Tree;

TEST_CASE("a file is read whole, and one that is not there is told from one that cannot be read") {
  Tree tree;
  const std::string big(200'000, 'x');
  tree.file("/etc/pve/lxc/120.conf", big).folder("/etc/folder");

  CHECK(tree.host().read_file("/etc/pve/lxc/120.conf") == big);
  const auto missing = tree.host().read_file("/etc/pve/lxc/999.conf");
  REQUIRE(!missing);
  CHECK(is_missing(missing.error()));
  CHECK(missing.error().message.find("/etc/pve/lxc/999.conf") != std::string::npos);
  const auto below_a_file = tree.host().read_file("/etc/pve/lxc/120.conf/x");
  REQUIRE(!below_a_file);
  CHECK(is_missing(below_a_file.error()));
  const auto folder = tree.host().read_file("/etc/folder");
  REQUIRE(!folder);
  CHECK(folder.error().code == EISDIR);
  CHECK(!is_missing(folder.error()));
}

TEST_CASE("files of /proc, which call themselves empty, are read to their end") {
  const auto host = make_linux_host("/");
  REQUIRE(host);
  const auto text = (*host)->read_file("/proc/self/stat");
  REQUIRE(text);
  CHECK(text->size() > 40);
  CHECK((*host)->read_start("/proc/self/stat", 2)->size() == 2);
}

TEST_CASE("more than 4 MiB is an error, so that a run-away file cannot take the host's memory") {
  Tree tree;
  tree.file("/whole", std::string(std::size_t{4} << 20, 'x')).file("/long", std::string((4u << 20) + 1, 'x'));
  CHECK(tree.host().read_file("/whole"));
  const auto read = tree.host().read_file("/long");
  REQUIRE(!read);
  CHECK(read.error().code == EFBIG);
}

TEST_CASE("nothing is opened that opening could change or that would wait: a named pipe, a device") {
  Tree tree;
  REQUIRE(::mkfifo(tree.real("/pipe").c_str(), 0600) == 0);
  CHECK(tree.host().read_file("/pipe").error().code == EINVAL);
  const auto real = make_linux_host("/");
  CHECK((*real)->read_file("/dev/zero").error().code == EINVAL);
}

TEST_CASE("a folder is listed sorted, without dot entries") {
  Tree tree;
  tree.file("/f/b", "").file("/f/a", "").link("/f/c", "/nowhere").folder("/f/d");
  CHECK(tree.host().list_folder("/f") == std::vector<std::string>{"a", "b", "c", "d"});
  CHECK(is_missing(tree.host().list_folder("/g").error()));
  CHECK(is_missing(tree.host().list_folder("/f/a").error()));
}

TEST_CASE("a folder is listed with what is behind each name") {
  Tree tree;
  tree.file("/f/b", "").link("/f/a", "/f/b").link("/f/c", "/nowhere");
  const auto check = [](Host& host, const std::string& folder) {
    const auto entries = host.list_with_info(folder);
    REQUIRE(entries);
    REQUIRE(entries->size() == 3);
    CHECK(entries->at(0).name == "a");
    CHECK(entries->at(0).info->kind == FileInfo::Kind::file);
    CHECK(entries->at(1).info->kind == FileInfo::Kind::file);
    CHECK(is_missing(entries->at(2).info.error()));
  };
  check(tree.host(), "/f");
  tree.link("/f/a", "b");  // relative now, so that it means the same outside the root folder
  check(**make_linux_host("/"), tree.real("/f").string());
}

TEST_CASE("the folders in a folder are told from files and from links to folders") {
  Tree tree;
  tree.folder("/f/system.slice").file("/f/cgroup.procs", "").link("/f/link", "system.slice");
  CHECK(tree.host().list_subfolders("/f") == std::vector<std::string>{"system.slice"});
  CHECK(is_missing(tree.host().list_subfolders("/g").error()));
}

TEST_CASE("info tells a link from what is behind it") {
  Tree tree;
  tree.folder("/etc/pve/nodes/pve").link("/etc/pve/local", "nodes/pve");
  CHECK(tree.host().info("/etc/pve/local")->kind == FileInfo::Kind::link);
  CHECK(tree.host().info("/etc/pve/local", true)->kind == FileInfo::Kind::folder);
  CHECK(is_missing(tree.host().info("/etc/pve/other").error()));
  CHECK(tree.host().info("/")->kind == FileInfo::Kind::folder);
}

TEST_CASE("info gives the number of a device, by which a card's node is known (amdgpu.md 2.5)") {
  const auto real = make_linux_host("/");
  const auto null = (*real)->info("/dev/null", true);
  REQUIRE(null);
  CHECK(null->kind == FileInfo::Kind::character_device);
  CHECK(null->device_major == 1);
  CHECK(null->device_minor == 3);
}

TEST_CASE("a relative path is refused, since it would mean another file in each working folder") {
  Tree tree;
  CHECK(tree.host().read_file("etc/passwd").error().code == EINVAL);
  const auto real = make_linux_host("/");
  CHECK((*real)->read_file("etc/passwd").error().code == EINVAL);
}

#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "catch.h"
#include "host/files.h"
#include "tree.h"

using namespace interlock;
using tests::Tree;

namespace {

/// No file may grow beyond `bytes`: a write stops in its midst, as on a full disk.
class FullDisk {
 public:
  explicit FullDisk(rlim_t bytes) : signal_(::signal(SIGXFSZ, SIG_IGN)) {
    ::getrlimit(RLIMIT_FSIZE, &before_);
    const rlimit limit{.rlim_cur = bytes, .rlim_max = before_.rlim_max};
    ::setrlimit(RLIMIT_FSIZE, &limit);
  }
  FullDisk(const FullDisk&) = delete;
  FullDisk& operator=(const FullDisk&) = delete;
  ~FullDisk() {
    ::setrlimit(RLIMIT_FSIZE, &before_);
    ::signal(SIGXFSZ, signal_);
  }

 private:
  void (*signal_)(int);
  rlimit before_{};
};

}  // namespace

TEST_CASE(
    "a file is replaced whole, with the mode asked for whatever the umask, and nothing stays beside it") {
  Tree tree;
  tree.file("/etc/pve/lxc/120.conf", "old");
  const mode_t before = ::umask(0077);
  const auto replaced = tree.host().replace_file("/etc/pve/lxc/120.conf", "new\n", 0640, Durability::synced);
  ::umask(before);
  REQUIRE(replaced);
  CHECK(tree.read("/etc/pve/lxc/120.conf") == "new\n");
  CHECK(tree.host().info("/etc/pve/lxc/120.conf")->mode == 0640);
  CHECK(tree.host().list_folder("/etc/pve/lxc") == std::vector<std::string>{"120.conf"});
}

TEST_CASE("a configuration's folder may be a link, as /etc/pve/lxc is: the file behind it is replaced") {
  Tree tree;
  tree.file("/etc/pve/nodes/pve/lxc/120.conf", "old").link("/etc/pve/lxc", "nodes/pve/lxc");
  REQUIRE(tree.host().replace_file("/etc/pve/lxc/120.conf", "new", 0640, Durability::synced));
  CHECK(tree.read("/etc/pve/nodes/pve/lxc/120.conf") == "new");
}

TEST_CASE("a failed replacement leaves the old file and no rest of the new one") {
  Tree tree;
  tree.file("/state/ledger/in-the-way", "");  // rename(2) cannot put a file over a folder
  CHECK(!tree.host().replace_file("/state/ledger", "x", 0600, Durability::synced));
  CHECK(tree.host().list_folder("/state") == std::vector<std::string>{"ledger"});
  CHECK(is_missing(tree.host().replace_file("/none/ledger", "x", 0600, Durability::synced).error()));
}

TEST_CASE(
    "a full disk is an error, leaves the old file whole and no rest of the new one (design, section 6)") {
  Tree tree;
  tree.file("/state/ledger", "old").file("/state/a.journal", "one\n");
  const FullDisk full(10);
  CHECK(!tree.host().replace_file("/state/ledger", std::string(100, 'x'), 0600, Durability::synced));
  CHECK(!tree.host().append_file("/state/a.journal", "a record of which only a part has room\n"));
  CHECK(tree.read("/state/ledger") == "old");
  CHECK(tree.read("/state/a.journal") == "one\n");
  CHECK(tree.host().list_folder("/state") == std::vector<std::string>{"a.journal", "ledger"});
}

TEST_CASE("a link that waits under the temporary name is not followed") {
  Tree tree;
  tree.file("/state/ledger", "old").file("/victim", "untouched");
  tree.link("/state/ledger.tmp." + std::to_string(::getpid()), "/victim");
  CHECK(!tree.host().replace_file("/state/ledger", "new", 0600, Durability::synced));
  CHECK(tree.read("/victim") == "untouched");
}

TEST_CASE("what is appended stands at the end, and a journal's file is nobody else's to read") {
  Tree tree;
  tree.folder("/state");
  REQUIRE(tree.host().append_file("/state/a.journal", "one\n"));
  REQUIRE(tree.host().append_file("/state/a.journal", "two\n"));
  CHECK(tree.read("/state/a.journal") == "one\ntwo\n");
  CHECK(tree.host().info("/state/a.journal")->mode == 0600);
  CHECK(is_missing(tree.host().append_file("/none/a.journal", "x").error()));
}

TEST_CASE("a control file is written in one piece and never made: a cgroup that is gone stays gone") {
  Tree tree;
  tree.file("/sys/fs/cgroup/lxc/120/cgroup.freeze", "1\n");
  REQUIRE(tree.host().write_control("/sys/fs/cgroup/lxc/120/cgroup.freeze", "0"));
  CHECK(tree.read("/sys/fs/cgroup/lxc/120/cgroup.freeze") == "0");
  CHECK(is_missing(tree.host().write_control("/sys/fs/cgroup/lxc/121/cgroup.freeze", "0").error()));
  CHECK(!tree.has("/sys/fs/cgroup/lxc/121"));
}

TEST_CASE("a folder is made with its parents, and again without complaint") {
  Tree tree;
  REQUIRE(tree.host().make_folder("/var/lib/gpu-interlock/cutovers", 0700));
  REQUIRE(tree.host().make_folder("/var/lib/gpu-interlock/cutovers", 0700));
  CHECK(tree.host().info("/var/lib/gpu-interlock/cutovers")->kind == FileInfo::Kind::folder);
  tree.file("/file", "");
  CHECK(!tree.host().make_folder("/file", 0700));
  CHECK(!tree.host().make_folder("/file/below", 0700));
}

TEST_CASE("a file is removed, and one that is not there says so") {
  Tree tree;
  tree.file("/a", "").link("/b", "/a");
  REQUIRE(tree.host().remove_file("/b"));
  CHECK(tree.has("/a"));
  REQUIRE(tree.host().remove_file("/a"));
  CHECK(is_missing(tree.host().remove_file("/a").error()));
}

TEST_CASE("the barrier syncs a file that is there, and says so when it is not (pct.md, section 3)") {
  Tree tree;
  tree.file("/var/lib/pve-cluster/config.db-wal", "log");
  CHECK(tree.host().sync_file("/var/lib/pve-cluster/config.db-wal"));
  CHECK(is_missing(tree.host().sync_file("/var/lib/pve-cluster/none").error()));
}

TEST_CASE("a new file is made whole, and one that is there is never written over") {
  Tree tree;
  tree.folder("/etc");
  auto root = RootFolder::open_root(tree.root());
  REQUIRE(root);
  REQUIRE(files::create_file(*root, "/etc/policy.yaml", "new\n", 0644, Durability::synced));
  CHECK(tree.read("/etc/policy.yaml") == "new\n");
  const auto again = files::create_file(*root, "/etc/policy.yaml", "other\n", 0644, Durability::synced);
  REQUIRE(!again);
  CHECK(again.error().code == EEXIST);
  CHECK(tree.read("/etc/policy.yaml") == "new\n");
  CHECK(tree.host().list_folder("/etc") == std::vector<std::string>{"policy.yaml"});
}

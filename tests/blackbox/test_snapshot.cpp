// A report of a host becomes a host of its own: what the audit finds on one it finds on the other, and it
// names nobody.
#include <filesystem>
#include <set>

#include "blackbox.h"
#include "catch.h"

using namespace interlock::tests;
using nlohmann::json;

namespace {

/// A host and the snapshot that was made of it.
struct Pair {
  MockedHost host;
  std::string folder = host.root() + "-snapshot";

  Ran take() const { return host.cli({"snapshot", folder}); }
  Ran there(const Words& words) const {
    Words all = {"gpu-interlock", "--root", folder, "--json"};
    all.insert(all.end(), words.begin(), words.end());
    return run(all);
  }
};

/// What two looks at the same thing have in common: all but ages, and the names that were made neutral.
json in_common(json given) {
  if (given.is_object()) {
    given.erase("age_ms");
    given.erase("engine_percent");
    given.erase("file");
    given.erase("node");
    if (given.contains("vmid")) given.erase("name");
  }
  if (given.is_structured()) {
    for (auto& each : given) each = in_common(each);
  }
  return given;
}

void compare(const Pair& pair) {
  for (const Words& words :
       {Words{"audit"}, Words{"status"}, Words{"plan", "to-qwen38fn"}, Words{"plan", "to-qwen36"},
        Words{"gate", "status"}, Words{"ledger"}, Words{"recover", "--status"}}) {
    const Ran here = pair.host.cli(words);
    const Ran there = pair.there(words);
    INFO(words.front() << " " << words.back() << "\n" << here.out << there.out << there.err);
    CHECK(there.exit == here.exit);
    CHECK(in_common(there.json()) == in_common(here.json()));
  }
}

std::string whole_text(const std::string& folder) {
  std::string text;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    text += entry.path().string() + "\n";
    if (entry.is_symlink())
      text += std::filesystem::read_symlink(entry.path()).string() + "\n";
    else if (entry.is_regular_file())
      text += content_of(entry.path()) + "\n";
  }
  return text;
}

}  // namespace

TEST_CASE("audit, status and plan say of a snapshot what they say of its host") {
  Pair pair;
  std::unique_ptr<Running> guard;
  SECTION("at work") {}
  SECTION("with a guard that watches") {
    guard = pair.host.guard();
  }
  SECTION("with a latch, after a trip") {
    guard = pair.host.guard();
    pair.host.mock("heat", {"gpu1", "108", "70"});
    CHECK(eventually([&] {
      return one_of(pair.host.cli({"status"}).json().at("cards"), "id", "gpu1").at("state") == "latched";
    }));
    CHECK(guard->end() == 0);
  }
  SECTION("with two containers on a card, a sensor gone, and a broken ledger") {
    pair.host.write("/etc/pve/lxc/121.conf",
                    pair.host.read("/etc/pve/lxc/121.conf") +
                        "lxc.mount.entry: /dev/dri dev/dri none bind,optional,create=dir\n");
    pair.host.remove("/sys/devices/pci0000:00/0000:83:00.0/hwmon/hwmon3/temp3_input");
    pair.host.write("/var/lib/gpu-interlock/ledger", "nonsense\n");
  }
  const Ran taken = pair.take();
  INFO(taken.out << taken.err);
  REQUIRE(taken.exit == 0);
  compare(pair);
}

TEST_CASE("a snapshot holds a cutover that was interrupted, and its neutral journal is a whole one") {
  Pair pair;
  const auto ran = pair.host.cli({"cutover", "to-qwen38fn", "--yes", "--without-guard"});
  INFO(ran.out << ran.err);
  REQUIRE(ran.exit == 0);
  // As after a power cut: the last record, which says that it is over, is not there.
  for (const auto& entry :
       std::filesystem::directory_iterator(pair.host.path("/var/lib/gpu-interlock/cutovers"))) {
    if (entry.path().extension() != ".journal") continue;
    std::string text = content_of(entry.path());
    text.erase(text.rfind('\n', text.size() - 2) + 1);
    pair.host.write(entry.path().string().substr(pair.host.root().size()), text);
  }
  REQUIRE(pair.host.cli({"recover", "--status"}).json().at("cutover").at("state") == "interrupted");
  REQUIRE(pair.take().exit == 0);
  compare(pair);
}

TEST_CASE("names and addresses in a snapshot are neutral, and the same everywhere") {
  Pair pair;
  const std::string conf = "/etc/pve/lxc/120.conf";
  pair.host.write(conf,
                  "#call anna@corp.example.com\n" + pair.host.read(conf) +
                      "net0: name=eth0,bridge=vmbr0,hwaddr=BC:24:11:0A:0B:0C,ip=10.77.3.9/24,gw=10.77.3.1\n"
                      "net1: name=eth1,hwaddr=BC:24:11:0A:0B:0C,ip6=fd77:1234::9/64\n"
                      "lxc.environment: TOKEN=opensesame\n");
  pair.host.write("/etc/pve/qemu-server/200.conf",
                  "name: secretvm\nhostpci0: 0000:44:00.0\nsshkeys: ssh-rsa%20AAAA\n");
  const std::string id = pair.host.read("/sys/devices/pci0000:00/0000:03:00.0/unique_id");
  const std::string node = pair.host.cli({"status"}).json().at("node");
  const std::string hostname = pair.host.read(conf);
  REQUIRE(pair.take().exit == 0);
  const std::string text = whole_text(pair.folder);
  for (const char* secret : {"anna", "corp.example", "BC:24:11", "10.77.3", "fd77:1234", "opensesame",
                             "secretvm", "ssh-rsa", "llama-server\nllama-server"}) {
    INFO(secret);
    CHECK(text.find(secret) == std::string::npos);
  }
  CHECK(text.find(id.substr(0, 16)) == std::string::npos);
  CHECK(text.find("nodes/" + node + "/") == std::string::npos);
  CHECK(text.find("hostname: ct120\n") != std::string::npos);
  const std::string shown =
      content_of(pair.folder + "/etc/pve/nodes/node1/lxc/120.conf") + content_of(pair.folder + conf);
  CHECK(shown.find("hwaddr=02:00:00:00:00:01") != shown.rfind("hwaddr=02:00:00:00:00:01"));
  CHECK(shown.find("127.0.0.1") == std::string::npos);
}

TEST_CASE("nothing is changed in a snapshot, and no command in it is run") {
  Pair pair;
  REQUIRE(pair.take().exit == 0);
  const std::string before = whole_text(pair.folder);
  CHECK(pair.there({"cutover", "to-qwen38fn", "--yes", "--without-guard"}).exit != 0);
  CHECK(pair.there({"reset", "gpu1", "--force", "--reason", "test"}).exit ==
        0);  // not latched: nothing to do
  CHECK(pair.there({"ledger", "rebuild"}).exit != 0);
  CHECK(whole_text(pair.folder) == before);
}

TEST_CASE("a snapshot is never written into a folder that is there, and changes nothing of the host") {
  Pair pair;
  const auto ours = [&] {
    std::map<std::string, std::string> found;
    for (const auto& [path, what] : pair.host.everything()) {  // the mocked host lives on
      for (const char* folder : {"/etc/", "/var/lib/gpu-interlock/", "/run/gpu-interlock/"}) {
        if (path.starts_with(pair.host.root() + folder)) found[path] = what;
      }
    }
    return found;
  };
  const auto before = ours();
  REQUIRE(pair.take().exit == 0);
  CHECK((ours() == before));
  const Ran again = pair.take();
  CHECK(again.exit == 2);
  CHECK(again.json().at("error").at("message").get<std::string>().find("is there already") !=
        std::string::npos);
}

TEST_CASE("a host whose policy is broken has its snapshot all the same: it is what a report is about") {
  Pair pair;
  pair.host.write("/etc/gpu-interlock/policy.yaml", "version: 1\ncards: { gpu1: { pcl: 1 } }\n");
  REQUIRE(pair.take().exit == 0);
  const Ran there = pair.there({"policy", "check"});
  CHECK(there.exit == 2);
  CHECK(there.json().at("error").at("message") ==
        pair.host.cli({"policy", "check"}).json().at("error").at("message"));
}

#include "policy_text.h"

using namespace interlock;
using namespace interlock::test;
using namespace std::chrono_literals;

namespace {

/// Container 120's part of the cutover; it begins at line 15, column 10.
std::string with(std::string_view want) {
  return changed("{ cards: [gpu1, gpu2], serve: large.service }", want);
}
std::string stopped(std::string_view want) {
  return changed("{ state: stopped, cards: [] }", want);
}

CutoverContainer part_of(const std::string& text, const char* vmid) {
  return policy_of(text).cutovers.at("to-large").containers.at(*Vmid::parse(vmid));
}

PciAddress pci(const char* text) {
  return *PciAddress::parse(text);
}

}  // namespace

TEST_CASE("what a target names is wanted, and what it does not name stays") {
  const Want want = part_of(with("{ cards: [gpu1] }"), "120").want;
  CHECK(want.cards == std::set{pci("0000:03:00.0")});
  CHECK_FALSE(want.state);
  CHECK_FALSE(want.serve);
  CHECK(want.settings.empty());
  CHECK_FALSE(want.keep_binding);
}

TEST_CASE("limits and onboot become settings as Proxmox writes them") {
  const Want want =
      part_of(with("{ state: running, cores: 48, memory: 163840, swap: 0, onboot: true }"), "120").want;
  CHECK(want.state == RunState::running);
  CHECK(want.settings == Settings{{"cores", "48"}, {"memory", "163840"}, {"swap", "0"}, {"onboot", "1"}});
  CHECK(part_of(with("{ onboot: false }"), "120").want.settings == Settings{{"onboot", "0"}});
}

TEST_CASE("limits that Proxmox would not take are refused before anything is touched") {
  CHECK(error_of(with("{ cores: 0 }")) ==
        "15:19: cutovers.to-large.120.cores: 0 is out of range; from 1 to 8192 can be");
  CHECK(errors_of(with("{ memory: 15 }")).size() == 1);
  CHECK(errors_of(with("{ memory: 16G }")).size() == 1);
  CHECK(errors_of(with("{ swap: -1 }")).size() == 1);
}

TEST_CASE("a stopped container gives its cards away, unless it is told to keep them bound") {
  CHECK(part_of(stopped("{ state: stopped }"), "123").want.cards == std::set<PciAddress>{});
  CHECK(part_of(stopped("{ state: stopped, release: detach }"), "123").want.cards == std::set<PciAddress>{});
  const Want kept = part_of(stopped("{ state: stopped, release: keep-binding }"), "123").want;
  CHECK(kept.keep_binding);
  CHECK_FALSE(kept.cards);
}

TEST_CASE("a card that nobody declared, or a card twice, is an error") {
  CHECK(error_of(with("{ cards: [gpu1, gpu9] }")) ==
        "15:26: cutovers.to-large.120.cards[2]: no card is called 'gpu9'; known: gpu1, gpu2");
  CHECK(error_of(with("{ cards: [gpu1, gpu1] }")) ==
        "15:26: cutovers.to-large.120.cards[2]: gpu1 is in the list already");
  CHECK(error_of(with("{ cards: gpu1 }")) ==
        "15:19: cutovers.to-large.120.cards: a list is wanted here, not 'gpu1'");
}

TEST_CASE("only a declared unit can serve: another would never be retired (I2)") {
  CHECK(error_of(with("{ serve: other.service }")) ==
        "15:19: cutovers.to-large.120.serve: 'other.service' is not among containers.120.units; declared: "
        "llamacpp.service, large.service");
  CHECK(errors_of(with("{ serve: large }")).size() == 1);
}

TEST_CASE("state is running or stopped") {
  CHECK(error_of(with("{ state: started }")) ==
        "15:19: cutovers.to-large.120.state: 'started' is not known here; write running or stopped");
}

TEST_CASE("wishes that contradict each other are refused") {
  struct Case {
    const char* want;
    const char* error;
  };
  for (const Case& wrong : {
           Case{"{ state: stopped, serve: large.service }", "serve: makes no sense with state: stopped"},
           Case{"{ state: stopped, requires: [{ file: /a }] }",
                "requires: makes no sense with state: stopped"},
           Case{"{ state: stopped, files: [{ path: /a, content: b }] }",
                "files: makes no sense with state: stopped"},
           Case{"{ state: stopped, onboot: true }", "the next boot would start it"},
           Case{"{ state: stopped, cards: [gpu1] }", "a stopped container has no card"},
           Case{"{ state: running, release: detach }", "release: makes sense only with state: stopped"},
           Case{"{ serve: large.service, cards: [] }", "serve: cannot serve without a card"},
           Case{"{ healthy: [{ command: [a] }] }",
                "healthy: is asked of the unit that serves; serve is missing"},
           Case{"{}", "cutovers.to-large.120: it wants nothing of this container"},
       }) {
    const std::string error = error_of(with(wrong.want));
    INFO(error);
    CHECK(error.find(wrong.error) != std::string::npos);
  }
}

TEST_CASE("a stopped container may keep its binding and be told so") {
  CHECK(errors_of(stopped("{ state: stopped, cards: [gpu2], release: keep-binding }")).size() ==
        1);  // 120 wants gpu2
  std::string text = stopped("{ state: stopped, cards: [gpu2], release: keep-binding }");
  text.replace(text.find("cards: [gpu1, gpu2]"), 19, "cards: [gpu1]");
  CHECK(errors_of(text).empty());
}

TEST_CASE("requires asks for a file or for a command") {
  const auto part = part_of(
      with("{ serve: large.service, requires: [{ file: /etc/x.env }, { command: [verify, -q] }] }"), "120");
  REQUIRE(part.requires_.size() == 2);
  CHECK(part.requires_[0].file == "/etc/x.env");
  CHECK_FALSE(part.requires_[0].command);
  CHECK(part.requires_[1].command == Argv{"verify", "-q"});
  CHECK(error_of(with("{ requires: [{}] }")) ==
        "15:23: cutovers.to-large.120.requires[1]: write either file or command");
  CHECK(errors_of(with("{ requires: [{ file: /a, command: [b] }] }")).size() == 1);
  CHECK(errors_of(with("{ requires: [{ file: a }] }")).size() == 1);
  CHECK(errors_of(with("{ requires: [{ file: /a/../b }] }")).size() == 1);
  CHECK(errors_of(with("{ requires: [{ command: verify }] }")).size() == 1);
  CHECK(errors_of(with("{ requires: [{ command: [-x] }] }")).size() == 1);
}

TEST_CASE("a health check has a command, and the time that serving has") {
  const std::string timing = "timing: { serve: 7m }\n";
  const auto part = part_of(
      with("{ serve: large.service, healthy: [{ command: [curl, x] }, { command: [b], within: 5s }] }") +
          timing,
      "120");
  REQUIRE(part.healthy.size() == 2);
  CHECK(part.healthy[0].command == Argv{"curl", "x"});
  CHECK(part.healthy[0].within == 7min);
  CHECK(part.healthy[1].within == 5s);
  CHECK(error_of(with("{ serve: large.service, healthy: [{ within: 5s }] }")) ==
        "15:44: cutovers.to-large.120.healthy[1]: command is missing");
}

TEST_CASE("a placed file has a path, and a source below the policy or its content") {
  const auto part =
      part_of(with("{ files: [{ path: /etc/a, source: files/a, owner: \"root:llama\", mode: 0640 },"
                   " { path: /etc/b, content: \"B=1\\n\" }] }"),
              "120");
  REQUIRE(part.files.size() == 2);
  CHECK(part.files[0].path == "/etc/a");
  CHECK(part.files[0].source == "files/a");
  CHECK(part.files[0].owner == "root:llama");
  CHECK(part.files[0].mode == "0640");
  CHECK(part.files[1].content == "B=1\n");
  CHECK(part.files[1].owner == "root:root");
  CHECK(part.files[1].mode == "0644");
}

TEST_CASE("a placed file cannot come from anywhere, nor be set-user-ID") {
  for (const char* file :
       {"{ path: /a }", "{ content: x }", "{ path: a, content: x }", "{ path: /a, source: /b }",
        "{ path: /a, source: ../b }", "{ path: /a, source: b, content: c }",
        "{ path: /a, content: x, mode: 4755 }", "{ path: /a, content: x, mode: 0999 }",
        "{ path: /a, content: x, owner: root }", "{ path: /a, content: x, owner: \"root:\" }",
        "{ path: /a/, content: x }", "{ path: /a, content: x, user: b }"}) {
    INFO(file);
    CHECK(errors_of(with(std::string("{ files: [") + file + "] }")).size() == 1);
  }
}

// How Proxmox reads a container's configuration (pct.md, section 2; cases/bindings.md).
#include "catch.h"
#include "pve/config.h"

using namespace interlock::pve;
using Kind = ConfigLine::Kind;

namespace {

struct Row {
  const char* reason;
  std::string line;
  Kind kind;
  std::string key;
  std::string value;
};

const Row kRows[] = {
    {"a key", "onboot: 1", Kind::key, "onboot", "1"},
    {"no blank behind the colon", "onboot:1", Kind::key, "onboot", "1"},
    {"blanks at the end are not the value's", "cores: 8 \t", Kind::key, "cores", "8"},
    {"B18: CR is a blank", "cores: 8\r", Kind::key, "cores", "8"},
    {"digits at the key's end", "mp12: x", Kind::key, "mp12", "x"},
    {"an unknown key is kept", "no_such_key: x", Kind::key, "no_such_key", "x"},
    {"digits inside a key", "a1b: x", Kind::broken, "", ""},
    {"a key with a dash", "bad-key: 3", Kind::broken, "", ""},
    {"a key in capitals", "Onboot: 1", Kind::broken, "", ""},
    {"blank before the colon", "onboot : 1", Kind::broken, "", ""},
    {"B17: no value", "onboot:", Kind::broken, "", ""},
    {"B17: a value of one blank, which is true", "onboot: ", Kind::key, "onboot", " "},
    {"a value of CR alone", "onboot:\r", Kind::key, "onboot", "\r"},
    {"B13: a leading blank", " dev0: /dev/dri/renderD128", Kind::broken, "", ""},
    {"B13: an indented comment", "  # text", Kind::broken, "", ""},
    {"a comment", "# dev0: /dev/dri/renderD128", Kind::comment, "", ""},
    {"a raw line", "lxc.mount.entry: a b none bind", Kind::raw, "lxc.mount.entry", "a b none bind"},
    {"B18: = is as good as :", "lxc.mount.entry = a b none bind", Kind::raw, "lxc.mount.entry",
     "a b none bind"},
    {"= without blanks", "lxc.start.auto=1", Kind::raw, "lxc.start.auto", "1"},
    {"a raw line may be empty", "lxc.cap.drop:", Kind::raw, "lxc.cap.drop", ""},
    {"a blank before the colon is not", "lxc.cap.drop : x", Kind::broken, "", ""},
    {"lxc. alone", "lxc.: x", Kind::broken, "", ""},
    {"a raw key in capitals", "LXC.cap.drop: x", Kind::broken, "", ""},
    {"a raw key with more blanks", "lxc.x-y_z.0  =  v  ", Kind::raw, "lxc.x-y_z.0", "v"},
    {"a blank line", "", Kind::blank, "", ""},
    {"a line of blanks", " \t\r", Kind::blank, "", ""},
    {"a form feed is a blank", "\f", Kind::blank, "", ""},
    {"a snapshot", "[before]", Kind::section, "before", ""},
    {"capitals and dashes in its name", "[Before-2_x]", Kind::section, "Before-2_x", ""},
    {"blanks behind it", "[before]  ", Kind::section, "before", ""},
    {"one letter is too short", "[x]", Kind::broken, "", ""},
    {"a digit first", "[1x]", Kind::broken, "", ""},
    {"a dot in it", "[a.b]", Kind::broken, "", ""},
    {"a blank before it", " [before]", Kind::broken, "", ""},
    {"text behind it", "[before] x", Kind::broken, "", ""},
    {"pending", "[pve:pending]", Kind::section, "pve:pending", ""},
    {"pending in capitals", "[PVE:Pending]", Kind::section, "pve:pending", ""},
    {"another colon", "[pve:other]", Kind::broken, "", ""},
    {"delete outside pending", "delete: dev0", Kind::broken, "", ""},
    {"snapstate wherever it stands", "anything snapstate: prepare", Kind::key, "snapstate", "prepare"},
    {"another snapstate is a key like any other", "snapstate: done", Kind::key, "snapstate", "done"},
    {"garbage", "garbage", Kind::broken, "", ""},
};

}  // namespace

TEST_CASE("each line means what Proxmox takes it for (pct.md 2)") {
  for (const Row& row : kRows) {
    INFO(row.reason);
    const ConfigFile config = parse_config(row.line + "\n");
    const auto& section = config.sections.back();
    REQUIRE(section.lines.size() == 1);
    CHECK(section.lines[0].kind == row.kind);
    CHECK(section.lines[0].text == row.line);
    if (row.kind != Kind::broken) {
      CHECK(section.lines[0].key == row.key);
      CHECK(section.lines[0].value == row.value);
    }
  }
}

TEST_CASE("delete is a key inside the pending section, and its list has many forms (pct.md 2)") {
  const auto config =
      parse_config("dev0: /dev/x\n[pve:pending]\ndelete: dev0,!mp1;cores  swap\nmemory: 2\nmemory: 3\n");
  CHECK(pending_deletes(config) == std::vector<std::string>{"dev0", "mp1", "cores", "swap"});
  CHECK(pending_keys(config) == std::vector<std::string>{"cores", "dev0", "memory", "mp1", "swap"});
  CHECK(pending_keys(parse_config("cores: 2\n")).empty());
}

TEST_CASE("0, off, no and false are false in any case, everything else is true (B17)") {
  for (const char* word : {"0", "off", "OFF", "no", "No", "false", "False"}) CHECK_FALSE(truthy(word));
  for (const char* word : {"1", "on", "yes", "true", "maybe", "00", "0.0", " ", "", "2", "none"})
    CHECK(truthy(word));
}

TEST_CASE("a container has onboot when its last line says so, or pending will (B17, pct.md 5.18)") {
  CHECK(has_onboot(parse_config("onboot: 1\n")));
  CHECK(has_onboot(parse_config("onboot: maybe\n")));
  CHECK(has_onboot(parse_config("onboot: 00\n")));
  CHECK_FALSE(has_onboot(parse_config("onboot: No\n")));
  CHECK_FALSE(has_onboot(parse_config("onboot:\n")));
  CHECK(has_onboot(parse_config("onboot:\r\n")));
  CHECK_FALSE(has_onboot(parse_config("")));
  CHECK_FALSE(has_onboot(parse_config("onboot: 1\nonboot: 0\n")));
  CHECK(has_onboot(parse_config("onboot: 0\n[pve:pending]\nonboot: 1\n")));
  CHECK(has_onboot(parse_config("onboot: 1\n[pve:pending]\ndelete: onboot\n")));
  CHECK_FALSE(has_onboot(parse_config("cores: 1\n[before]\nonboot: 1\n")));
}

TEST_CASE("the last of a key's lines wins (B18)") {
  const auto config = parse_config("dev0: /dev/a\nlxc.start.auto: 1\ndev0: /dev/b\nlxc.start.auto: 0\n");
  REQUIRE(config.main().find("dev0") != nullptr);
  CHECK(config.main().find("dev0")->value == "/dev/b");
  CHECK(config.main().find("lxc.start.auto")->value == "0");
  CHECK(config.main().find("dev1") == nullptr);
  const auto settings = settings_of(config.main());
  CHECK(settings.size() == 1);
  CHECK(settings.at("dev0") == "/dev/b");
}

TEST_CASE("a key in a comment is not there (B19)") {
  const auto config = parse_config("#onboot: 1\n");
  CHECK(config.main().find("onboot") == nullptr);
}

TEST_CASE("sections follow each other, and the pending one is not a snapshot") {
  const auto config =
      parse_config("a: 1\n[one]\nb: 2\n[pve:pending]\nc: 3\n[two]\nd: 4\n[pve:pending]\ne: 5\n");
  REQUIRE(config.snapshots().size() == 2);
  CHECK(config.snapshots()[0]->name == "one");
  CHECK(config.snapshots()[1]->find("d") != nullptr);
  REQUIRE(config.pending() != nullptr);
  CHECK(config.pending()->find("e") != nullptr);
  CHECK(config.pending()->find("c") == nullptr);
  CHECK(parse_config("a: 1\n").pending() == nullptr);
}

TEST_CASE("the lines in order are the file, byte for byte") {
  for (const std::string text : {"", "\n", "\n\n", "a: 1", "a: 1\n", "a: 1\r\n\r\n[x]\n \n",
                                 "#\xff\x01\n[before]\nlxc.x = \n\n\n", "[before]"}) {
    INFO(text);
    CHECK(config_text(parse_config(text)) == text);
  }
  const std::string with_nul("a: 1\0b\n", 7);
  CHECK(config_text(parse_config(with_nul)) == with_nul);
}

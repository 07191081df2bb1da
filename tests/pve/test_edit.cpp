// Edits of a configuration: what is not ours stays byte for byte (I5; cases B01, B04, B18, B19).
#include <algorithm>
#include <fstream>
#include <sstream>

#include "base/text.h"
#include "catch.h"
#include "generated_config.h"
#include "pve/config.h"
#include "pve/edit.h"

using namespace interlock;
using namespace interlock::pve;

namespace {

const std::string kMount =
    "lxc.mount.entry: /dev/dri/by-path/pci-0000:03:00.0-render dev/dri/renderD129 none "
    "bind,optional,create=file";
const std::string kOther =
    "lxc.mount.entry: /dev/dri/by-path/pci-0000:03:00.0-card dev/dri/card1 none "
    "bind,optional,create=file";

std::string without_cr(std::string_view line) {
  if (line.ends_with('\r')) line.remove_suffix(1);
  return std::string(line);
}

/// How often the main section has the line.
std::ptrdiff_t count_in_main(const std::string& text, const std::string& line) {
  const ConfigFile config = parse_config(text);
  return std::ranges::count_if(
      config.main().lines, [&](const ConfigLine& each) { return without_cr(each.text) == without_cr(line); });
}

/// Everything behind the main section.
std::string behind_main(const std::string& text) {
  ConfigFile config = parse_config(text);
  config.sections.front().lines.clear();
  return config_text(config);
}

}  // namespace

TEST_CASE("a line is added to the main section, not to the snapshot at the file's end (B01)") {
  CHECK(with_lines(
            "arch: amd64\nonboot: 0\n\n[before]\nonboot: 1\nlxc.mount.entry: /dev/dri dev/dri none bind\n",
            {kMount}) == "arch: amd64\nonboot: 0\n" + kMount +
                             "\n\n[before]\nonboot: 1\nlxc.mount.entry: /dev/dri dev/dri none bind\n");
}

TEST_CASE("a line is not glued to a last one without LF (B04)") {
  CHECK(with_lines("dev0: /dev/dri/renderD128\nonboot: 1", {kMount}) ==
        "dev0: /dev/dri/renderD128\nonboot: 1\n" + kMount + "\n");
}

TEST_CASE("lines stand behind the last raw line, in the order given") {
  CHECK(with_lines("a: 1\nlxc.cap.drop:\nb: 2\n", {kMount, kOther}) ==
        "a: 1\nlxc.cap.drop:\n" + kMount + "\n" + kOther + "\nb: 2\n");
}

TEST_CASE("lines are added to a file with nothing in its main section") {
  CHECK(with_lines("", {kMount}) == kMount + "\n");
  CHECK(with_lines("[before]\na: 1\n", {kMount}) == kMount + "\n[before]\na: 1\n");
  CHECK(with_lines("\n\n[before]\n", {kMount}) == kMount + "\n\n\n[before]\n");
}

TEST_CASE("no lines, no change") {
  CHECK(with_lines("a: 1", {}) == "a: 1");
  CHECK(without_lines("a: 1", {}) == "a: 1");
}

TEST_CASE("a removed line is gone as often as it stands in the main section, and stays elsewhere") {
  const std::string text =
      kMount + "\na: 1\n" + kMount + "\n[pve:pending]\n" + kMount + "\n[before]\n" + kMount;
  CHECK(without_lines(text, {kMount}) == "a: 1\n[pve:pending]\n" + kMount + "\n[before]\n" + kMount);
}

TEST_CASE("a line is the same with CR LF at its end, and only then (B18)") {
  CHECK(without_lines("a: 1\r\n" + kMount + "\r\nb: 2\r\n", {kMount}) == "a: 1\r\nb: 2\r\n");
  CHECK(without_lines(kMount + "\n", {kMount + "\r"}).empty());
  CHECK(without_lines(kMount + " \n", {kMount}) == kMount + " \n");
}

TEST_CASE("the last line can be removed, with or without its LF") {
  CHECK(without_lines("a: 1\n" + kMount, {kMount}) == "a: 1\n");
  CHECK(without_lines(kMount, {kMount}).empty());
}

TEST_CASE("a comment that looks like the line is not the line (B02, B19)") {
  const std::string text = "#" + kMount + "\n";
  CHECK(without_lines(text, {kMount}) == text);
}

TEST_CASE("over made-up configurations, only our lines differ (I5)") {
  for (std::uint32_t seed = 0; seed < 4000; ++seed) {
    test::ConfigMaker maker(seed);
    const std::string before = maker.config();
    std::vector<std::string> ours;
    for (unsigned count = 1 + maker.below(3); count > 0; --count) {
      ours.push_back(kMount + " #" + std::to_string(count));
    }
    INFO("seed " << seed << "\n" << before);

    const std::string added = with_lines(before, ours);
    const std::string taken_again = without_lines(added, ours);
    // A last line without LF gets one; nothing else may be different.
    const bool same = taken_again == before || taken_again == before + "\n";
    if (!same || behind_main(added) != behind_main(before)) {
      CHECK(taken_again == before);
      CHECK(behind_main(added) == behind_main(before));
      break;
    }
    for (const std::string& line : ours) REQUIRE(count_in_main(added, line) == 1);

    const std::string line = maker.line();
    const std::string removed = without_lines(before, {line});
    REQUIRE(count_in_main(removed, line) == 0);
    REQUIRE(behind_main(removed) == behind_main(before));
    // What is left are the other lines, in their order, each with its own end.
    std::string expected;
    const ConfigFile parsed = parse_config(before);
    for (const ConfigLine& each : parsed.main().lines) {
      if (without_cr(each.text) != line) expected += each.text + "\n";
    }
    expected += behind_main(before);
    const bool cut = !before.ends_with('\n') && expected.size() == removed.size() + 1;
    REQUIRE((removed == expected || (cut && removed + "\n" == expected)));
  }
}

TEST_CASE("the cutover's edit of two-v620's container 123 leaves the snapshot alone (hosts/two-v620)") {
  const std::string text = "arch: amd64\nonboot: 1\nswap: 4096\nlxc.cgroup2.devices.allow: c 226:* rwm\n" +
                           kMount + "\n" + kOther +
                           "\n\n[before-upgrade]\narch: amd64\nonboot: 1\nlxc.mount.entry: /dev/dri dev/dri "
                           "none bind,optional,create=dir\n";
  const std::string released = without_lines(text, {kMount, kOther});
  CHECK(released ==
        "arch: amd64\nonboot: 1\nswap: 4096\nlxc.cgroup2.devices.allow: c 226:* rwm\n"
        "\n[before-upgrade]\narch: amd64\nonboot: 1\n"
        "lxc.mount.entry: /dev/dri dev/dri none bind,optional,create=dir\n");
  CHECK(with_lines(released, {kMount, kOther}) == text);
}

// What leaves the house in a snapshot names nobody, and still says what it said.
#include "catch.h"
#include "cli/neutral.h"

using namespace interlock::cli;

TEST_CASE("each address is another one, and always the same") {
  Neutral neutral("");
  CHECK(neutral.text("ip=10.1.2.3/24,gw=10.1.2.1 again 10.1.2.3") ==
        "ip=192.0.2.1/24,gw=192.0.2.2 again 192.0.2.1");
  CHECK(neutral.text("hwaddr=BC:24:11:00:00:01") == "hwaddr=02:00:00:00:00:01");
  CHECK(neutral.text("ip6=fd00:1::5/64") == "ip6=2001:db8::1/64");
  CHECK(neutral.text("fe80:1:2:3:4:5:6:7") == "2001:db8::2");
  CHECK(neutral.text("10.1.2.1") == "192.0.2.2");
}

TEST_CASE("what looks like an address and is none stays as it is") {
  Neutral neutral("pve");
  for (const char* text : {"0000:03:00.0", "/dev/dri/by-path/pci-0000:03:00.0-render",
                           "0::/lxc/120/ns/system.slice/llamacpp.service", "2026-11-30T02:14:07Z",
                           "http://127.0.0.1:1234/health", "pve-container@120.service", "foo@bar.service",
                           "/etc/pve/lxc", "lxc.cgroup2.devices.allow: c 226:128 rwm",
                           "UPID:other:0001E240:00A1B2C3:66F0A1B2:vzstart:120:root@pam:", "0000:00:00:00"}) {
    CHECK(neutral.text(text) == text);
  }
}

TEST_CASE("the host's name is another one where a text means it, and nowhere else") {
  Neutral neutral("pve");
  CHECK(neutral.text("/etc/pve/nodes/pve/lxc/120.conf") == "/etc/pve/nodes/node1/lxc/120.conf");
  CHECK(neutral.text("UPID:pve:0001:vzstart:120:anna@pam:") == "UPID:node1:0001:vzstart:120:user1@pam:");
  CHECK(neutral.text("map: node=pve,path=0000:03:00.0") == "map: node=node1,path=0000:03:00.0");
  CHECK(Neutral("").text("nodes/pve/") == "nodes/pve/");
  CHECK(Neutral("a.b").text("nodes/aXb/") == "nodes/aXb/");
}

TEST_CASE("a card's unique id is hidden in hexadecimal and in decimal, as KFD writes it") {
  Neutral neutral("");
  neutral.hide_id("7a3b1c5d9e2f4a60");
  CHECK(neutral.text("unique_id: \"7a3b1c5d9e2f4a60\"") == "unique_id: \"0000000000000001\"");
  CHECK(neutral.text("unique_id 8807664684664572512\n") == "unique_id 1\n");
  CHECK(neutral.text("7a3b1c5d9e2f4a601") == "7a3b1c5d9e2f4a601");
}

TEST_CASE("a container's configuration keeps what counts, byte for byte but for names and free text") {
  Neutral neutral("");
  const std::string given =
      "#note of anna\narch: amd64\nhostname: secret\nlxc.environment: TOKEN=a\nlxc.mount.entry: "
      "/dev/dri/card1 dev/dri/card1\n"
      "[snap]\nhostname: secret2\n";
  CHECK(neutral.container(given, "120") ==
        "#\narch: amd64\nhostname: ct120\nlxc.environment: hidden\nlxc.mount.entry: /dev/dri/card1 "
        "dev/dri/card1\n"
        "[snap]\nhostname: ct120\n");
  CHECK(neutral.container("lxc.uts.name = secret", "120") == "lxc.uts.name = ct120");
  CHECK(Neutral::machine("name: x\nhostpci0: 03:00\nonboot: 1\n[snap]\ncipassword: y\n") ==
        "hostpci0: 03:00\nonboot: 1\n[snap]\n");
}

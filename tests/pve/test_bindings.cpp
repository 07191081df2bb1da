// What configurations grant: cases/bindings.md by id, pct.md section 6 by letter, and their kin.
#include "catch.h"
#include "pve/bindings.h"
#include "two_cards.h"

using namespace interlock;
using namespace interlock::pve;

namespace {

struct Row {
  const char* reason;
  const char* config;
  const char* effect;
};

const Row kRows[] = {
    // cases/bindings.md
    {"B01: nothing in the main section; the snapshot binds every card, latently",
     "arch: amd64\nonboot: 0\n\n[before]\nonboot: 1\nlxc.mount.entry: /dev/dri dev/dri none "
     "bind,create=dir\n",
     "every latent before mount"},
    {"B02: privileged and no rule: bound, not permitted; the comment is description",
     "lxc.mount.entry: /dev/dri dev/dri none bind,optional,create=dir\n#lxc.mount.entry: /dev/kfd dev/kfd "
     "none bind\n",
     "every now mount not-permitted"},
    {"B03: unprivileged: every device is allowed",
     "unprivileged: 1\nlxc.mount.entry: /dev/dri dev/dri none bind,optional,create=dir\n", "every now mount"},
    {"B04: a last line without LF is a line", "onboot: 1\ndev0: /dev/dri/renderD128", "gpu2 now dev"},
    {"B05: /dev/kfd is nobody's card; a comment between keys changes nothing",
     "dev0: /dev/kfd,gid=993,uid=0\n# text\ndev1: /dev/dri/renderD128,gid=44\n", "gpu2 now dev"},
    {"B06: granted three ways: deleting dev0 alone releases nothing",
     "dev0: /dev/dri/renderD128,gid=44\nlxc.cgroup2.devices.allow: c 226:* rwm\n"
     "lxc.mount.entry: /dev/dri dev/dri none bind,optional,create=dir\n",
     "gpu2 now dev; every now mount; makes-nodes"},
    {"B07: odd fifth and sixth fields are accepted",
     "unprivileged: 1\nlxc.mount.entry: /dev/dri/renderD128 dev/dri/renderD128 none "
     "bind,optional,create=file 0, 0\n",
     "gpu2 now mount"},
    {"B08: allow-all in a privileged container with mknod: exclusivity of every card cannot be guaranteed",
     "lxc.cgroup2.devices.allow: c 226:128 rwm\nlxc.cgroup2.devices.allow: a\nlxc.cap.drop:\n"
     "lxc.mount.entry: /dev/dri/renderD128 dev/dri/renderD128 none bind\n",
     "gpu2 now mount; makes-nodes"},
    {"B09: the folder, and one number allowed: gpu2 alone, by a number that may be another card's tomorrow",
     "lxc.mount.entry: /dev/dri dev/dri none bind\nlxc.cgroup2.devices.allow: c 226:0 rwm\n"
     "lxc.cgroup2.devices.allow: c 226:128 rwm\n",
     "every(gpu2) now mount; makes-nodes"},
    {"B10: nodes x rules: gpu1's node is visible, gpu2's number is allowed",
     "lxc.mount.entry: /dev/dri/renderD129 dev/dri/renderD129 none bind,create=file\n"
     "lxc.cgroup2.devices.allow: c 226:128 rwm\n",
     "gpu1 now mount not-permitted; makes-nodes"},
    {"B11: the source names the card, the target says nothing; the rule is another card's",
     "lxc.mount.entry: /dev/dri/by-path/pci-0000:83:00.0-card dev/dri/card0 none bind,optional,create=file\n"
     "lxc.cgroup2.devices.allow: c 226:1 rwm\n",
     "gpu2 now mount not-permitted; makes-nodes"},
    {"B12: a comment behind a value is part of it, and stops the start",
     "dev3: /dev/dri/renderD128,gid=104 # 104 = render\n", "gpu2 now dev; ineffective 1"},
    {"B13: a leading blank: means nothing, and is said", " dev0: /dev/dri/renderD128\n # a comment\n",
     "ineffective 1"},
    {"B14: a hookscript may rewrite the configuration", "hookscript: local:snippets/fix-usb.sh\n",
     "unprovable 1"},
    {"B15: deleted while running: held until it stops",
     "dev0: /dev/dri/renderD128\n\n[pve:pending]\ndelete: dev0\n", "gpu2 now dev until-stop"},
    {"B16: pending: held from the next start on", "arch: amd64\n\n[pve:pending]\ndev0: /dev/dri/renderD128\n",
     "gpu2 next dev"},
    {"B18: CR LF, the last dev0 wins, = is as good as :, octal escapes are decoded",
     "dev0: /dev/dri/renderD129\r\ndev0: /dev/dri/renderD128\r\n"
     "lxc.mount.entry = /dev/dri/renderD128 dev/dri/renderD128 none bind 0 0\r\n"
     "lxc.mount.entry: /dev/dri/render\\104128 dev/dri/x none bind 0 0\r\n",
     "gpu2 now dev; gpu2 now mount; gpu2 now mount"},
    {"B19: HTML in the description",
     "#<b>GPU</b>%3A dev0%3A /dev/dri/renderD128\n#dev0: /dev/dri/renderD128\n", ""},
    {"B20: lxc.start.auto starts it at boot whatever onboot says",
     "onboot: 0\nunprivileged: 1\nlxc.start.auto: 1\ndev0: /dev/dri/renderD128\n", "gpu2 now dev; auto"},

    // A. devN
    {"A: path= may be spelt out", "dev0: path=/dev/dri/card1,mode=0660\n", "gpu1 now dev"},
    {"A: and stand behind other properties", "dev0: gid=44,path=/dev/dri/renderD129\n", "gpu1 now dev"},
    {"A: by-path names are kept, and resolved", "dev0: /dev/dri/by-path/pci-0000:03:00.0-render\n",
     "gpu1 now dev"},
    {"A: a device number beyond 255 is passed through all the same", "dev300: /dev/dri/renderD129\n",
     "gpu1 now dev"},
    {"A: dev without a number is no device", "dev: /dev/dri/renderD129\n", ""},
    {"A: device0 is no device", "device0: /dev/dri/renderD129\n", ""},
    {"A: a relative path is refused", "dev0: dev/dri/renderD129\n", "ineffective 1"},
    {"A: a path that climbs is refused", "dev0: /dev/../dev/dri/renderD129\n", "ineffective 1"},
    {"A: an odd mode is refused at the start", "dev0: /dev/dri/renderD129,mode=660\n",
     "gpu1 now dev; ineffective 1"},
    {"A: no path at all", "dev0: gid=44\n", "ineffective 1"},
    {"A: deny-write still reads", "dev0: /dev/dri/renderD129,deny-write=1\n", "gpu1 now dev"},
    {"A: a deny rule behind it takes devN's own rule away",
     "dev0: /dev/dri/renderD129\nlxc.cgroup2.devices.deny: a\n", "gpu1 now dev not-permitted"},

    // B. and C. mount entries
    {"B: the source behind a link",
     "unprivileged: 1\nlxc.mount.entry: /dev/dri/by-path/pci-0000:03:00.0-card d none bind\n",
     "gpu1 now mount"},
    {"B: rbind is a bind",
     "unprivileged: 1\nlxc.mount.entry: /dev/dri/renderD129 dev/dri/renderD128 none rbind,ro\n",
     "gpu1 now mount"},
    {"B: tabs between the fields",
     "unprivileged: 1\nlxc.mount.entry:\t/dev/dri/renderD129\tdev/x\tnone\tbind\n", "gpu1 now mount"},
    {"B: no options at all: counted", "unprivileged: 1\nlxc.mount.entry: /dev/dri/renderD129 dev/x\n",
     "gpu1 now mount"},
    {"B: no bind", "unprivileged: 1\nlxc.mount.entry: /dev/dri/renderD129 dev/x none ro 0 0\n", ""},
    {"B: another device", "unprivileged: 1\nlxc.mount.entry: /dev/fuse dev/fuse none bind,create=file 0 0\n",
     ""},
    {"B: one field is no entry", "unprivileged: 1\nlxc.mount.entry: /dev/dri\n", ""},
    {"C: all of /dev", "unprivileged: 1\nlxc.mount.entry: /dev mnt/dev none bind,create=dir\n",
     "every now mount"},
    {"C: the host's root", "unprivileged: 1\nlxc.mount.entry: / mnt none rbind,create=dir\n",
     "every now mount"},
    {"C: a trailing slash", "unprivileged: 1\nlxc.mount.entry: /dev/dri/ dev/dri none bind\n",
     "every now mount"},
    {"C: a fresh devtmpfs shows every node",
     "unprivileged: 1\nlxc.mount.entry: devtmpfs hostdev devtmpfs defaults\n", "every now mount"},
    {"C: a tmpfs shows none", "unprivileged: 1\nlxc.mount.entry: tmpfs dev/dri tmpfs defaults\n", ""},
    {"C: an overlay may show anything",
     "unprivileged: 1\nlxc.mount.entry: overlay mnt overlay lowerdir=/dev,upperdir=/a,workdir=/b\n",
     "unprovable 1"},
    {"B: a source inside the container's own root is not looked into",
     "unprivileged: 1\nlxc.mount.entry: dev/dri mnt none bind,relative\n", "unprovable 1"},

    // D. mount points
    {"D: a bind of a folder", "unprivileged: 1\nmp0: /,mp=/host\n", "every now mp"},
    {"D: /dev itself is a folder", "unprivileged: 1\nmp0: /dev,mp=/host/dev\n", "every now mp"},
    {"D: below /dev/ it is mounted as a disk, which a folder is not",
     "unprivileged: 1\nmp0: /dev/dri,mp=/dev/dri\n", ""},
    {"D: two slashes are no /dev/", "unprivileged: 1\nmp0: //dev/dri,mp=/dev/dri\n", "every now mp"},
    {"D: volume= spelt out", "unprivileged: 1\nmp1: volume=/dev,mp=/x,ro=1\n", "every now mp"},
    {"D: a volume is none of ours", "mp0: local-lvm:vm-120-disk-1,mp=/models,backup=0,size=320G\n", ""},
    {"D: privileged: the rules decide", "mp0: /dev,mp=/host/dev\n", "every now mp not-permitted"},
    {"D: deleted while running", "unprivileged: 1\nmp0: /dev,mp=/d\n\n[pve:pending]\ndelete: mp0\n",
     "every now mp until-stop"},

    // E. what is not in the text
    {"E: a hook", "lxc.hook.autodev: /usr/local/bin/nodes\n", "unprovable 1"},
    {"E: a hook of the start", "lxc.hook.pre-start = sh -c 'mknod /x c 226 128'\n", "unprovable 1"},
    {"E: the hook's version is no hook", "lxc.hook.version: 1\n", ""},
    {"E: an include that cannot be read", "lxc.include: /etc/lxc/gpu.conf\n", "unprovable 1"},
    {"E: lxc's own files are not asked for", "lxc.include: /usr/share/lxc/config/nesting.conf\n", ""},
    {"E: a way out of lxc's own files is", "lxc.include: /usr/share/lxc/config/../../../etc/x\n",
     "unprovable 1"},
    {"E: a mount table that cannot be read", "lxc.mount.fstab: /etc/lxc/fstab\n", "unprovable 1"},
    {"E: its old name", "lxc.mount: /etc/lxc/fstab\n", "unprovable 1"},
    {"G: static nodes in the root file system", "lxc.autodev: 0\n", "unprovable 1"},
    {"G: the usual one", "lxc.autodev: 1\n", ""},

    // F. rules
    {"F: path form, of the node that is bound: nothing to be made besides",
     "lxc.cgroup2.devices.allow: /dev/dri/by-path/pci-0000:03:00.0-render rw\n"
     "lxc.mount.entry: /dev/dri/by-path/pci-0000:03:00.0-render dev/dri/renderD129 none bind,create=file\n",
     "gpu1 now mount"},
    {"F: path form, of a node that is not bound",
     "lxc.cgroup2.devices.allow: /dev/dri/renderD128 rwm # 128\n", "makes-nodes"},
    {"F: version 1 counts too",
     "lxc.cgroup.devices.allow: c 226:129 rw\nlxc.mount.entry: /dev/dri/renderD129 dev/x none bind\n",
     "gpu1 now mount; makes-nodes"},
    {"F: rules without a node give nobody a card; privileged, they let it make one",
     "lxc.cgroup2.devices.allow: c 226:* rwm\n", "makes-nodes"},
    {"F: mknod dropped: it cannot", "lxc.cgroup2.devices.allow: c 226:* rwm\nlxc.cap.drop: sys_time mknod\n",
     ""},
    {"F: an empty drop list brings it back",
     "lxc.cgroup2.devices.allow: c 226:* rwm\nlxc.cap.drop: mknod\nlxc.cap.drop:\n", "makes-nodes"},
    {"F: kept capabilities without mknod", "lxc.cgroup2.devices.allow: a\nlxc.cap.keep: chown kill\n", ""},
    {"F: kept capabilities with it", "lxc.cgroup2.devices.allow: a\nlxc.cap.keep: chown mknod\n",
     "makes-nodes"},
    {"F: every major", "lxc.cgroup2.devices.allow: c *:* rwm\n", "makes-nodes"},
    {"F: only making, not opening", "lxc.cgroup2.devices.allow: c *:* m\n", ""},
    {"F: another class of devices", "lxc.cgroup2.devices.allow: c 188:* rwm\n", ""},
    {"F: block devices", "lxc.cgroup2.devices.allow: b *:* rwm\n", ""},
    {"F: unprivileged: cannot make nodes at all", "unprivileged: 1\nlxc.cgroup2.devices.allow: a\n", ""},
    {"F: an idmap of its own is as good as unprivileged",
     "lxc.idmap: u 0 100000 65536\nlxc.mount.entry: /dev/dri/renderD129 dev/x none bind\n", "gpu1 now mount"},
    {"F: unprivileged, all denied again",
     "unprivileged: 1\nlxc.cgroup2.devices.deny: a\nlxc.mount.entry: /dev/dri/renderD129 dev/x none bind\n",
     "gpu1 now mount not-permitted"},
    {"F: not a rule: it cannot start", "lxc.cgroup2.devices.allow: 226:* rwm\n", "ineffective 1"},

    // Pending and snapshots
    {"pending: a changed device is held until the stop, the new one from then on",
     "dev0: /dev/dri/renderD129\n\n[pve:pending]\ndev0: /dev/dri/renderD128\n",
     "gpu1 now dev until-stop; gpu2 next dev"},
    {"pending: a forced delete", "dev0: /dev/dri/renderD129\n\n[pve:pending]\ndelete: !dev0,mp3\n",
     "gpu1 now dev until-stop"},
    {"pending: a second header forgets the first",
     "arch: amd64\n\n[pve:pending]\ndev0: /dev/dri/renderD128\n\n[pve:pending]\ncores: 2\n", ""},
    {"pending: its header in capitals", "arch: amd64\n\n[PVE:PENDING]\ndev0: /dev/dri/renderD128\n",
     "gpu2 next dev"},
    {"a broken header: what follows belongs to the section before",
     "arch: amd64\n[x]\ndev0: /dev/dri/renderD128\n", "gpu2 now dev"},
    {"two snapshots", "arch: amd64\n[aa]\ndev0: /dev/dri/renderD128\n[bb]\nmp0: /dev,mp=/d\n",
     "gpu2 latent aa dev; every latent bb mp"},
    {"a snapshot's rules and hooks are not in force",
     "arch: amd64\n[aa]\nlxc.cgroup2.devices.allow: a\nlxc.hook.mount: x\nhookscript: "
     "local:snippets/x\nlxc.start.auto: 1\n",
     ""},

    // Others
    {"an empty file", "", ""},
    {"a line that is no line, and names a card", "lxc.mount.entry /dev/dri dev/dri none bind\n",
     "ineffective 1"},
    {"a value that says snapstate is taken as that", "dev0: /dev/dri/renderD128 snapstate: delete\n", ""},
    {"unprivileged: off", "unprivileged: off\nlxc.mount.entry: /dev/dri dev/dri none bind\n",
     "every now mount not-permitted"},
    {"two-v620, container 120 (hosts/two-v620)",
     "lxc.cgroup2.devices.allow: c 226:* rwm\n"
     "lxc.mount.entry: /dev/dri/by-path/pci-0000:03:00.0-render dev/dri/renderD129 none "
     "bind,optional,create=file\n"
     "lxc.mount.entry: /dev/dri/by-path/pci-0000:03:00.0-card dev/dri/card1 none bind,optional,create=file\n",
     "gpu1 now mount; gpu1 now mount; makes-nodes"},
    {"lxc.start.auto 0", "lxc.start.auto: 0\n", ""},
};

}  // namespace

TEST_CASE("what a configuration gives its container (cases/bindings.md, pct.md 6)") {
  for (const Row& row : kRows) {
    INFO(row.reason << "\n" << row.config);
    CHECK(test::effect(grants_of(parse_config(row.config), test::no_files)) == row.effect);
  }
}

TEST_CASE("the table of configurations has at least sixty rows") {
  CHECK(std::size(kRows) >= 60);
}

TEST_CASE("every way out of one container is listed: one line more is one grant more (B06)") {
  const auto grants =
      grants_of(parse_config("dev0: /dev/dri/renderD128,gid=44\n"
                             "lxc.mount.entry: /dev/dri dev/dri none bind,optional,create=dir\n"),
                test::no_files);
  REQUIRE(grants.grants.size() == 2);
  CHECK(grants.grants[0].line == "dev0: /dev/dri/renderD128,gid=44");
  CHECK(grants.grants[0].target == "/dev/dri/renderD128");
  CHECK_FALSE(grants.grants[0].optional);
  CHECK_FALSE(grants.grants[0].may_be_folder);
  CHECK(grants.grants[1].target == "/dev/dri");
  CHECK(grants.grants[1].optional);
  CHECK(grants.grants[1].may_be_folder);
}

TEST_CASE("a line keeps its CR, so that it can be found and put back as it stood (B18)") {
  const auto grants = grants_of(parse_config("dev0: /dev/dri/renderD128\r\n"), test::no_files);
  REQUIRE(grants.grants.size() == 1);
  CHECK(grants.grants[0].line == "dev0: /dev/dri/renderD128\r");
  CHECK(grants.grants[0].source == "/dev/dri/renderD128");
}

TEST_CASE("included files are read in place, and their mounts name the file (pct.md 6 E)") {
  const auto files = [](const std::string& path) -> Result<std::string> {
    if (path == "/etc/lxc/gpu.conf") {
      return "# both\nlxc.mount.entry = /dev/dri/renderD128 dev/x none bind 0 0\nlxc.include = "
             "/etc/lxc/more.conf\n"
             "lxc.cgroup2.devices.allow = c 226:128 rw\n";
    }
    if (path == "/etc/lxc/more.conf")
      return "lxc.hook.mount = /x\nlxc.start.auto = 1\nlxc.include = /etc/lxc/gpu.conf\n";
    if (path == "/etc/lxc/fstab")
      return "# a table\n/dev/dri/card1 dev/dri/card1 none bind 0 0\n\nproc p proc ro 0 0\n";
    return fail("no {}", path);
  };
  const auto grants =
      grants_of(parse_config("lxc.include: /etc/lxc/gpu.conf\nlxc.mount.fstab: /etc/lxc/fstab\n"), files);
  CHECK(test::effect(grants) ==
        "gpu2 now included; gpu1 now included not-permitted; makes-nodes; unprovable 2; auto");
  REQUIRE(grants.grants.size() == 2);
  CHECK(grants.grants[0].origin == "/etc/lxc/gpu.conf");
  CHECK(grants.grants[1].origin == "/etc/lxc/fstab");
  CHECK(grants.grants[1].line == "/dev/dri/card1 dev/dri/card1 none bind 0 0");
}

TEST_CASE("files that include each other without end are given up as unprovable") {
  const auto files = [](const std::string& path) -> Result<std::string> {
    return "lxc.include = " + path + "x\n";
  };
  CHECK(grants_of(parse_config("lxc.include: /a\n"), files).unprovable.size() == 1);
}

TEST_CASE("lxc's generated file is read by the same rules (pct.md 2)") {
  const auto grants = generated_grants(
      "lxc.arch = amd64\nlxc.include = /usr/share/lxc/config/ubuntu.common.conf\n"
      "lxc.cgroup2.devices.allow = c 226:129 rw\n"
      "lxc.mount.entry = /dev/dri/by-path/pci-0000:03:00.0-render dev/dri/renderD129 none "
      "bind,optional,create=file\n",
      test::no_files);
  CHECK(test::effect(grants) == "gpu1 now mount; makes-nodes");
}

TEST_CASE("a generated file that still has a card's old lines, or lacks the new ones, is stale (pct.md 2)") {
  const auto config = parse_config(
      "dev0: /dev/kfd\nlxc.cgroup2.devices.allow: c 226:129 rwm\n"
      "lxc.mount.entry: /dev/dri/renderD129 dev/dri/renderD129 none bind\nlxc.environment: A=b\n");
  const std::string head =
      "lxc.arch = amd64\nlxc.mount.entry = /dev/fuse dev/fuse none bind,create=file 0 0\n"
      "lxc.cgroup2.devices.allow = c 235:0 rw\n";
  const std::string rule = "lxc.cgroup2.devices.allow = c 226:129 rwm\n";
  const std::string mount = "lxc.mount.entry = /dev/dri/renderD129 dev/dri/renderD129 none bind\n";
  CHECK_FALSE(generated_is_stale(
      config, head + rule + mount + "lxc.environment = A=b\nlxc.cgroup2.cpuset.cpus = 0-7\n"));
  CHECK(generated_is_stale(config, head + rule));   // the mount is missing
  CHECK(generated_is_stale(config, head + mount));  // the rule is missing
  CHECK(generated_is_stale(config, head + rule + mount + "lxc.mount.entry = /dev/dri dev/dri none bind\n"));
  CHECK(generated_is_stale(config, head + rule + "lxc.mount.entry = /dev/dri/card1 x none bind\n" + mount));
  CHECK(generated_is_stale(config, head + "lxc.cgroup2.devices.allow = c 226:* rwm\n" + rule + mount));
  CHECK(generated_is_stale(config, head + "lxc.cgroup2.devices.allow = a\n" + rule + mount));
  CHECK_FALSE(generated_is_stale(parse_config("arch: amd64\n"), head));
  CHECK(generated_is_stale(parse_config("arch: amd64\n"), head + mount));
}

TEST_CASE("a card is known by udev's name for it, present or not (S08)") {
  CHECK(card_in_name("/dev/dri/by-path/pci-0000:03:00.0-render") == PciAddress::parse("0000:03:00.0"));
  CHECK(card_in_name("/dev/dri/by-path/pci-0000:83:00.0-card") == PciAddress::parse("0000:83:00.0"));
  CHECK_FALSE(card_in_name("/dev/dri/by-path/pci-0000:83:00.0"));
  CHECK_FALSE(card_in_name("/dev/dri/by-path/pci-0000:83:00.0-usb"));
  CHECK_FALSE(card_in_name("/dev/dri/renderD128"));
  CHECK_FALSE(card_in_name("/dev/dri/by-path/platform-gpu-card"));
}

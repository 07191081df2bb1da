#include "catch.h"
#include "observe/binding_cards.h"
#include "observe/card_fixture.h"
#include "pve/config.h"

using namespace interlock;
using namespace interlock::observe;
using namespace interlock::tests;

namespace {

using Cards = std::set<PciAddress>;
const Cards kBoth = {kGpu1, kGpu2};

struct TwoCards {
  Tree tree;
  TwoCards() { write_two_cards(tree); }

  BoundCards bound(const std::string& config, RunState running = RunState::running) {
    const auto none = [](const std::string& path) -> Result<std::string> { return fail("no {}", path); };
    return bound_cards(tree.host(), card_nodes(tree.host()), pve::grants_of(pve::parse_config(config), none),
                       running);
  }
  Binding only(const std::string& config, RunState running = RunState::running) {
    const auto found = bound(config, running);
    REQUIRE(found.bindings.size() == 1);
    return found.bindings.front();
  }
  PathCards at(const std::string& path) { return cards_at(tree.host(), card_nodes(tree.host()), path); }
};

const std::string kUnprivileged = "unprivileged: 1\n";
const std::string kAllow = "lxc.cgroup2.devices.allow: c 226:* rwm\n";

}  // namespace

TEST_CASE("a path is told to the card that it is now: by name, by link, by number (S07)") {
  TwoCards host;
  CHECK(host.at("/dev/dri/renderD129").cards == Cards{kGpu1});
  CHECK(host.at("/dev/dri/card2").cards == Cards{kGpu2});
  CHECK(host.at("/dev/dri/by-path/pci-0000:83:00.0-render").cards == Cards{kGpu2});
  host.tree.link("/dev/mygpu", "dri/renderD128");
  CHECK(host.at("/dev/mygpu").cards == Cards{kGpu2});
  CHECK(host.at("/dev/dri/renderD777").cards.empty());
  CHECK(host.at("/dev/kfd").cards.empty());
  CHECK(host.at("proc").cards.empty());
}

TEST_CASE("after nodes change places a number names the other card, a by-path link does not (S07)") {
  TwoCards host;
  host.tree.remove(pci_folder(kGpu1) + "/drm").remove(pci_folder(kGpu2) + "/drm");
  host.tree.folder(pci_folder(kGpu1) + "/drm/renderD128").folder(pci_folder(kGpu2) + "/drm/renderD129");
  host.tree.link("/dev/dri/by-path/pci-0000:03:00.0-render", "../renderD128");
  CHECK(host.at("/dev/dri/renderD129").cards == Cards{kGpu2});
  CHECK(host.at("/dev/dri/by-path/pci-0000:03:00.0-render").cards == Cards{kGpu1});
}

TEST_CASE("a by-path link names its card even when the card has fallen off the bus") {
  TwoCards host;
  host.tree.remove("/dev/dri/by-path/pci-0000:83:00.0-render").remove(pci_folder(kGpu2));
  CHECK(host.at("/dev/dri/by-path/pci-0000:83:00.0-render").cards == Cards{kGpu2});
}

TEST_CASE(
    "folders that hold all nodes give every card, those to come too; the links alone give none (pct.md "
    "6.C)") {
  TwoCards host;
  for (const std::string folder : {"/dev/dri", "/dev", "/", "/dev/dri/"}) {
    INFO(folder);
    CHECK(host.at(folder).cards == kBoth);
    CHECK(host.at(folder).every_card);
  }
  CHECK(host.at("/dev/dri/by-path").cards.empty());
  CHECK(!host.at("/dev/dri/by-path").every_card);
  host.tree.folder("/mnt/models");
  CHECK(host.at("/mnt/models").cards.empty());
}

TEST_CASE("B02: a folder bind in a privileged container without an allow line is bound, not permitted") {
  TwoCards host;
  const Binding binding = host.only("lxc.mount.entry: /dev/dri dev/dri none bind,optional,create=dir\n");
  CHECK(binding.cards == kBoth);
  CHECK(binding.every_card);
  CHECK(!binding.permitted);
}

TEST_CASE("B03: the same in an unprivileged container holds every card") {
  TwoCards host;
  const Binding binding =
      host.only(kUnprivileged + "lxc.mount.entry: /dev/dri dev/dri none bind,create=dir\n");
  CHECK(binding.cards == kBoth);
  CHECK(binding.every_card);
  CHECK(binding.permitted);
}

TEST_CASE("B05: /dev/kfd is nobody's card, and renderD128 is gpu2's") {
  TwoCards host;
  const Binding binding =
      host.only("dev0: /dev/kfd,gid=993,uid=0\n#a comment\ndev1: /dev/dri/renderD128,gid=44\n");
  CHECK(binding.form == Binding::Form::device);
  CHECK(binding.cards == Cards{kGpu2});
  CHECK(binding.permitted);
  CHECK(binding.line == "dev1: /dev/dri/renderD128,gid=44");
}

TEST_CASE("B06: a card granted in several ways shows each of them") {
  TwoCards host;
  const auto found = host.bound("dev0: /dev/dri/renderD128,gid=44\n" + kAllow +
                                "lxc.mount.entry: /dev/dri dev/dri none bind,optional,create=dir\n");
  REQUIRE(found.bindings.size() == 2);
  CHECK(found.bindings[0].cards == Cards{kGpu2});
  CHECK(found.bindings[1].cards == kBoth);
}

TEST_CASE("B09: a folder of which the rules permit one card's number becomes two bindings of one line") {
  TwoCards host;
  const auto found = host.bound(
      "lxc.cgroup2.devices.allow: c 226:0 rwm\nlxc.cgroup2.devices.allow: c 226:128 rwm\n"
      "lxc.mount.entry: /dev/dri dev/dri none bind,optional,create=dir\n");
  REQUIRE(found.bindings.size() == 2);
  CHECK(found.bindings[0].cards == Cards{kGpu1});
  CHECK(!found.bindings[0].permitted);
  CHECK(found.bindings[1].cards == Cards{kGpu2});
  CHECK(found.bindings[1].permitted);
  CHECK(found.bindings[0].line == found.bindings[1].line);
}

TEST_CASE("B10 and B11: a node is usable only where the rules have its own number") {
  TwoCards host;
  const Binding render = host.only(
      "lxc.cgroup2.devices.allow: c 226:128 rwm\n"
      "lxc.mount.entry: /dev/dri/renderD129 dev/dri/renderD129 none bind,create=file\n");
  CHECK(render.cards == Cards{kGpu1});
  CHECK(!render.permitted);
  const Binding card = host.only(
      "lxc.cgroup2.devices.allow: c 226:1 rwm\n"
      "lxc.mount.entry: /dev/dri/by-path/pci-0000:83:00.0-card dev/dri/card0 none "
      "bind,optional,create=file\n");
  CHECK(card.cards == Cards{kGpu2});
  CHECK(!card.permitted);
}

TEST_CASE("B15: a pending deletion holds its card until the container is seen stopped") {
  TwoCards host;
  const std::string config = "dev0: /dev/dri/renderD128\n\n[pve:pending]\ndelete: dev0\n";
  CHECK(host.only(config).live_after_removal);
  CHECK(host.only(config, RunState::unknown).cards == Cards{kGpu2});
  CHECK(host.bound(config, RunState::stopped).bindings.empty());
}

TEST_CASE("B16: a pending device will be held at the next start") {
  TwoCards host;
  const Binding binding = host.only("hostname: x\n\n[pve:pending]\ndev0: /dev/dri/renderD128\n");
  CHECK(binding.when == Binding::When::next_start);
  CHECK(binding.cards == Cards{kGpu2});
}

TEST_CASE("B01: a snapshot's folder bind is a latent binding of every card") {
  TwoCards host;
  const Binding binding = host.only(
      "hostname: gpu2\n\n[before]\nonboot: 1\nlxc.mount.entry: /dev/dri dev/dri none bind,create=dir\n");
  CHECK(binding.when == Binding::When::latent);
  CHECK(binding.cards == kBoth);
}

TEST_CASE("a node that is not there now stays in sight as a binding of no card (S08)") {
  TwoCards host;
  const Binding binding = host.only("dev0: /dev/dri/renderD777\n");
  CHECK(binding.cards.empty());
  CHECK(binding.source == "/dev/dri/renderD777");
}

TEST_CASE("mount points of other folders and of storage are no bindings") {
  TwoCards host;
  host.tree.folder("/tank/models");
  CHECK(host.bound("mp0: /tank/models,mp=/models\nmp1: local-lvm:vm-120-disk-1,mp=/m\n").bindings.empty());
}

TEST_CASE("a path that cannot be followed is unprovable, not no card") {
  TwoCards host;
  host.tree.link("/srv/loop", "loop");
  const auto found = host.bound("lxc.mount.entry: /srv/loop dev/x none bind\n");
  REQUIRE(found.unprovable.size() == 1);
  CHECK(found.unprovable.front().starts_with("lxc.mount.entry: /srv/loop"));
}

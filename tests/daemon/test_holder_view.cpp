#include "catch.h"
#include "daemon/holder_view.h"

using namespace interlock;
using namespace interlock::daemon;
using namespace std::chrono_literals;

namespace {

const PciAddress kGpu1 = *PciAddress::parse("0000:03:00.0");
const PciAddress kGpu2 = *PciAddress::parse("0000:83:00.0");
const Vmid k120 = *Vmid::parse("120");
const Vmid k123 = *Vmid::parse("123");
constexpr Pid kOwn = 999;

Instant at(Duration since_boot) {
  return Instant{since_boot};
}

Holder holder(Pid pid, const PciAddress& card, std::optional<Vmid> container) {
  Holder holder{.process = {pid, 1},
                .command = "llama-server",
                .card = card,
                .place = {},
                .memory = std::nullopt,
                .engine_ns = std::nullopt,
                .kfd_memory = std::nullopt};
  holder.place.container = container;
  holder.place.unit = UnitName::parse("llamacpp.service");
  holder.place.cgroup = container ? "/lxc/" + container->text() + "/ns/system.slice/llamacpp.service"
                                  : std::string("/system.slice/llamacpp.service");
  holder.place.whole = true;
  holder.uses = Truth::yes;
  return holder;
}

}  // namespace

TEST_CASE("before the first look, and when looks come to nothing for long, a card counts as held") {
  HolderView view(kOwn);
  CHECK(view.use(kGpu1, at(1s)).held);
  CHECK(view.use(kGpu1, at(1s)).sheddable);

  view.take(HolderLook{}, std::nullopt, at(2s));
  CHECK_FALSE(view.use(kGpu1, at(3s)).held);
  CHECK(view.use(kGpu1, at(2s) + kHoldersKnownFor + 1ns).held);
}

TEST_CASE("a look at some containers takes nothing away from what was seen elsewhere") {
  HolderView view(kOwn);
  view.take({{holder(1, kGpu1, k120), holder(2, kGpu1, std::nullopt), holder(3, kGpu2, k123)}, {}},
            std::nullopt, at(1s));
  view.take({{}, {}}, std::set{k120}, at(2s));
  REQUIRE(view.holders(kGpu1).size() == 1);
  CHECK(view.holders(kGpu1)[0].process.pid == 2);
  CHECK(view.holders(kGpu2).size() == 1);

  view.take({{}, {}}, std::nullopt, at(3s));
  CHECK(view.holders(kGpu1).empty());
  CHECK(view.holders(kGpu2).empty());
}

TEST_CASE("a holder whose engine time grows between two looks is seen to work (11.5)") {
  HolderView view(kOwn);
  Holder idle = holder(1, kGpu1, k120);
  idle.uses = Truth::no;
  idle.engine_ns = 10;
  view.take({{idle}, {}}, std::nullopt, at(1s));
  CHECK_FALSE(view.use(kGpu1, at(1s)).working);
  idle.engine_ns = 11;
  view.take({{idle}, {}}, std::set{k120}, at(2s));
  CHECK(view.use(kGpu1, at(2s)).working);
}

TEST_CASE("an unknown holder means every running container that binds the card") {
  HolderView view(kOwn);
  BindingLook bindings;
  bindings.running[kGpu1] = {k120, k123};
  view.take(std::move(bindings));
  view.take({{}, {{77, {}, "permission denied"}}}, std::nullopt, at(1s));
  CHECK(view.use(kGpu1, at(1s)).held);
  std::set<Vmid> named;
  for (const auto& target : view.targets(kGpu1)) {
    CHECK(target.kind == decide::ShedTarget::Kind::container);
    if (target.container) named.insert(*target.container);
  }
  CHECK(named == std::set{k120, k123});
}

TEST_CASE("a quick look goes to containers that bind a card and to those that hold one without binding it") {
  HolderView view(kOwn);
  CHECK_FALSE(view.worth_a_look());
  view.take({{holder(1, kGpu1, k123)}, {}}, std::nullopt, at(1s));
  CHECK_FALSE(view.worth_a_look());  // bindings are not known yet
  BindingLook bindings;
  bindings.running[kGpu1] = {k120};
  view.take(std::move(bindings));
  REQUIRE(view.worth_a_look());
  CHECK(*view.worth_a_look() == std::set{k120, k123});
}

TEST_CASE("what a look may have missed is known by when it began") {
  HolderView view(kOwn);
  view.take(HolderLook{}, std::nullopt, at(5s));
  CHECK(view.all_seen_since(at(5s)));
  CHECK_FALSE(view.all_seen_since(at(6s)));
  view.take(HolderLook{}, std::set{k120}, at(7s));
  CHECK_FALSE(view.all_seen_since(at(6s)));
}

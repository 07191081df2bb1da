// What a shell watchdog was told, held against the host. Its table named a service that had been removed, and
// another host's file a card of another board: a trip would have stopped nothing (two-v620 failures 1 and
// 10).
#include <algorithm>

#include "catch.h"
#include "decide/sketch_import.h"
#include "decide/two_v620.h"

using namespace interlock;
using namespace interlock::decide;
using namespace interlock::two_v620;

namespace {

const std::string kFile =
    "# GPU watchdog\n"                                                                              // 1
    "GPU_PCI_ADDRESS=0000:03:00.0\n"                                                                // 2
    "TRIP_JUNCTION_C=102\n"                                                                         // 3
    "TRIP_MEM_C=101\n"                                                                              // 4
    "RESUME_C=85\n"                                                                                 // 5
    "POLL_SECS=2\n"                                                                                 // 6
    "GPU_SERVICE_MAP=0000:03:00.0=120:llamacpp.service,0000:83:00.0=123:llamacpp-qwen36.service\n"  // 7
    "AUTO_RESUME=0\n"                                                                               // 8
    "WATCHDOG_ACTION=stop\n";                                                                       // 9

FoundCards two_cards() {
  FoundCards cards;
  for (const PciAddress& pci : {kGpu1, kGpu2}) {
    FoundCard card{.pci = pci};
    card.channels = {"junction", "mem"};
    card.limits = {ChannelLimits{Celsius::from_degrees(105), Celsius::from_degrees(110)},
                   ChannelLimits{Celsius::from_degrees(103), Celsius::from_degrees(108)}};
    cards.cards.push_back(card);
  }
  return cards;
}

const UnitName kGone = *UnitName::parse("llamacpp-qwen36.service");

/// As the units of kFile are answered for.
HostState host() {
  HostState state = normal();
  Unit gone = unit(kGone, false);
  gone.load = LoadState::not_found;
  state.container(k120)->units = {unit(kQwen36, true)};
  state.container(k123)->units = {gone};
  return state;
}

struct Imported {
  Sketched drawn;
  std::string text;
  Policy policy;
  std::string remarks;  // "LINE: message", all
};

Imported imported(const std::string& file, const Result<HostState>& state = host(),
                  const FoundCards& found = two_cards()) {
  std::vector<Remark> remarks;
  const Watchdog watchdog = read_watchdog(parse_environment_file(file), remarks);
  Imported result;
  result.drawn = sketch_import(watchdog, found, state, "gpu-watchdog.env");
  result.text = policy_text(result.drawn.sketch);
  for (const Remark& remark : result.drawn.remarks)
    result.remarks += std::to_string(remark.line) + ": " + remark.message + "\n";
  if (result.drawn.sketch.cards.empty()) return result;
  auto policy = load_policy(result.text, "imported");
  INFO(result.text);
  if (!policy) FAIL(policy.error().front().text());
  result.policy = *policy;
  return result;
}

std::string changed(const std::string& old, const std::string& replacement) {
  std::string text = kFile;
  const auto at = text.find(old);
  REQUIRE(at != std::string::npos);
  return text.replace(at, old.size(), replacement);
}

bool has(const std::string& text, const std::string& part) {
  INFO(text);
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE(
    "the watchdog of two-v620: its numbers are carried over, and its dead service is found (failure 1)") {
  const Imported one = imported(kFile);
  INFO(one.text << one.remarks);
  REQUIRE(one.policy.cards.size() == 2);
  CHECK(one.policy.guard.limits(Channel::junction)->trip == Celsius::from_degrees(102));
  CHECK(one.policy.guard.limits(Channel::junction)->resume == Celsius::from_degrees(85));
  CHECK(one.policy.guard.limits(Channel::memory)->trip == Celsius::from_degrees(101));
  CHECK(one.policy.guard.poll == std::chrono::seconds(2));
  CHECK(one.policy.guard.latch == LatchMode::until_reset);
  CHECK(one.policy.containers.at(k120).units == std::vector{kQwen36});
  // What really has the card instead, marked as not in the file.
  CHECK(one.policy.containers.at(k123).units == std::vector{kQwen38});
  CHECK(has(one.remarks,
            "7: there is no llamacpp-qwen36.service of container 123: a trip would have stopped nothing"));
  CHECK(has(one.remarks, "0: llamacpp-qwen38fn.service of container 123 uses a card and is not in the file"));
  CHECK(has(one.text, "# ours: not in the file, but it uses gpu2 now"));
  CHECK(has(one.text, "# trip is TRIP_JUNCTION_C. resume is RESUME_C. ours: warn."));
  CHECK(has(one.text, "# ours: its configuration has mount lines"));
}

TEST_CASE("a card of another board is left out, and a file of such cards only makes no policy (failure 10)") {
  const Imported one =
      imported(changed("GPU_PCI_ADDRESS=0000:03:00.0", "GPU_PCI_ADDRESS=0000:0c:00.0,0000:03:00.0"));
  CHECK(one.policy.cards.size() == 2);
  CHECK(one.policy.card(*PciAddress::parse("0000:0c:00.0")) == nullptr);
  CHECK(has(one.remarks, "0000:0c:00.0 is not in this machine"));
  CHECK(has(one.text, "0000:0c:00.0 is in the file and not in this machine"));
  CHECK(imported("GPU_PCI_ADDRESS=0000:0c:00.0\n").drawn.sketch.cards.empty());
}

TEST_CASE("a card of the machine that the file does not name is said, and so is one that amdgpu has not") {
  const Imported one = imported("GPU_PCI_ADDRESS=0000:03:00.0\n");
  CHECK(one.policy.cards.size() == 1);
  CHECK(has(one.remarks, "0000:83:00.0 is in the machine and not guarded here: nothing names it"));
  FoundCards lent = two_cards();
  lent.cards.pop_back();
  lent.others = {{kGpu2, "vfio-pci"}};
  const Imported other = imported(kFile, host(), lent);
  CHECK(other.policy.cards.size() == 2);
  CHECK(has(other.remarks, "0000:83:00.0 is guarded once amdgpu has it: its driver is vfio-pci now"));
}

TEST_CASE("what the file does not give, or gives wrongly, is ours and marked as ours") {
  const Imported one = imported("GPU_PCI_ADDRESS=\"0000:03:00.0 0000:83:00.0\"\nTRIP_MEM_C=warm\n");
  INFO(one.text << one.remarks);
  CHECK(one.policy.guard.limits(Channel::junction)->trip == Celsius::from_degrees(102));
  CHECK(one.policy.guard.limits(Channel::memory)->trip == Celsius::from_degrees(100));
  CHECK(one.policy.guard.poll == GuardPolicy{}.poll);
  for (const char* part :
       {"ours: the trip stands 8 C below the emergency limit", "ours: both", "ours: after a trip"})
    CHECK(has(one.text, part));
  for (const char* part : {"no TRIP_JUNCTION_C that can be used", "no TRIP_MEM_C", "no RESUME_C"})
    CHECK(has(one.remarks, part));
  // The containers that use the cards are named, too.
  CHECK(one.policy.containers.size() == 2);
  CHECK(has(one.remarks, "container 120 uses cards and is not in the file"));
}

TEST_CASE("limits that cannot stand together, or beyond the card's own, are not taken in silence") {
  const Imported late = imported(changed("TRIP_JUNCTION_C=102", "TRIP_JUNCTION_C=112"));
  CHECK(late.policy.guard.limits(Channel::junction)->trip == Celsius::from_degrees(112));
  CHECK(has(late.remarks,
            "TRIP_JUNCTION_C is 112.0 C, and at 110.0 C the driver of gpu1 powers the whole host off"));
  for (const char* resume : {"RESUME_C=101", "RESUME_C=102", "RESUME_C=120"}) {
    const Imported one = imported(changed("RESUME_C=85", resume));
    CHECK(one.policy.guard.limits(Channel::junction)->resume <
          one.policy.guard.limits(Channel::junction)->warn);
    CHECK(has(one.remarks, "leaves no room"));
  }
  for (const char* trip : {"TRIP_JUNCTION_C=3", "TRIP_JUNCTION_C=87", "TRIP_JUNCTION_C=130"}) {
    INFO(trip);
    CHECK(imported(changed("TRIP_JUNCTION_C=102", trip)).policy.cards.size() == 2);
  }
}

TEST_CASE("each poll that the watchdog could have had gives a sound policy") {
  for (const char* poll : {"0.05", "0.099", "0.1", "1", "10"}) {
    INFO(poll);
    const Imported one = imported(changed("POLL_SECS=2", std::string("POLL_SECS=") + poll));
    CHECK(one.policy.guard.poll_warm <= one.policy.guard.poll);
  }
}

TEST_CASE("AUTO_RESUME and WATCHDOG_ACTION become the latch and the last resort, or are said not to") {
  CHECK(imported(changed("AUTO_RESUME=0", "AUTO_RESUME=1")).policy.guard.latch == LatchMode::until_cool);
  CHECK(imported(kFile).policy.guard.last_resort == LastResort::none);
  const Imported off = imported(changed("ACTION=stop", "ACTION=poweroff"));
  CHECK(off.policy.guard.last_resort == LastResort::poweroff);
  CHECK(has(off.remarks, "9: WATCHDOG_ACTION is poweroff: here a trip first takes the load off"));
  const Imported beep = imported(changed("ACTION=stop", "ACTION=beep"));
  CHECK(beep.policy.guard.last_resort == LastResort::none);
  CHECK(has(beep.remarks, "9: WATCHDOG_ACTION is 'beep', which could not be carried over"));
}

TEST_CASE("a container that is not there is left out; of a stopped one the units stay, unseen (failure 7)") {
  HostState state = host();
  std::erase_if(state.containers, [](const Container& container) { return container.vmid == k123; });
  const Imported gone = imported(kFile, state);
  CHECK(!gone.policy.containers.contains(k123));
  CHECK(has(gone.remarks, "7: container 123 is not on this host"));
  state = host();
  Container& stopped = *state.container(k123);
  stopped.running = RunState::stopped;
  stopped.units.clear();
  stopped.units_answer = UnitsAnswer::not_running;
  state.cards[1].holders.clear();
  const Imported one = imported(kFile, state);
  CHECK(one.policy.containers.at(k123).units == std::vector{kGone});
  CHECK(has(one.remarks, "could not be seen: the container is stopped"));
}

TEST_CASE("a service that is there and down, and one beside another's card, are kept and said (failure 2)") {
  HostState state = host();
  state.container(k123)->units = {unit(kGone, false)};
  const Imported down = imported(kFile, state);
  CHECK(down.policy.containers.at(k123).units == std::vector{kGone, kQwen38});
  CHECK(
      has(down.remarks, "7: llamacpp-qwen36.service of container 123 does not run now (inactive, disabled)"));
  const Imported wrong = imported(changed("0000:83:00.0=123", "0000:03:00.0=123"), state);
  CHECK(has(wrong.remarks, "works on 0000:03:00.0, which the container does not bind"));
}

TEST_CASE("on a machine that cannot be looked at, the file is taken at its word, and that is said") {
  const Imported one = imported(kFile, std::unexpected(Error{"no container folder", 0}), {});
  INFO(one.text << one.remarks);
  CHECK(one.policy.cards.size() == 2);
  CHECK(one.policy.containers.at(k123).units == std::vector{kGone});
  CHECK(has(one.remarks, "nothing in the file could be held against this host: no container folder"));
  CHECK(has(one.text, "not looked at"));
}

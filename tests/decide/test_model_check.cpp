// The planner model-checked (verification.md 3.5): between legal placements of containers, cards and units,
// from where each plan ends and from where it is cut short, every step keeps the invariants, and so does
// every boot.
#include <iostream>
#include <unordered_set>

#include "decide/invariants.h"
#include "planning.h"

using namespace interlock;
using namespace interlock::planning;

namespace {

/// A small host whose every legal placement has a number.
struct World {
  int containers;
  int cards;

  static constexpr int kUnits = 2;
  static constexpr int kModes = kUnits + 2;  // runs and serves one unit; runs and serves none; stands

  static Vmid vmid(int at) { return *Vmid::parse(std::to_string(100 + at)); }
  static PciAddress pci(int at) { return *PciAddress::parse("0000:0" + std::to_string(at + 1) + ":00.0"); }
  static UnitName unit(int at) { return *UnitName::parse("model-" + std::to_string(at) + ".service"); }
  static std::string text(int at) { return std::to_string(at); }

  Policy policy() const {
    Policy made;
    for (int at = 0; at < cards; ++at)
      made.cards.push_back({*CardId::parse("gpu" + text(at)), pci(at), {}, false});
    for (int at = 0; at < containers; ++at) {
      // Every second one is written by devN.
      const BindStyle style = at % 2 == 0 ? BindStyle::mount_entry : BindStyle::device;
      made.containers.emplace(vmid(at), PolicyContainer{vmid(at), {unit(0), unit(1)}, style, {}});
    }
    return made;
  }

  std::uint64_t count() const {
    std::uint64_t all = 1;
    for (int at = 0; at < cards; ++at) all *= static_cast<std::uint64_t>(containers + 1);
    for (int at = 0; at < containers; ++at) all *= kModes;
    return all;
  }

  /// Placement number `number` as a wish.
  Target target(std::uint64_t number) const {
    Target made{"placement " + std::to_string(number), {}};
    for (int at = 0; at < containers; ++at) {
      Want& want = made.wants[vmid(at)];
      const auto mode = static_cast<int>(number % kModes);
      number /= kModes;
      want.state = mode == kModes - 1 ? RunState::stopped : RunState::running;
      want.cards.emplace();
      if (mode < kUnits) want.serve = unit(mode);
      want.retire_all = mode == kUnits;
      want.settings["onboot"] = mode == kModes - 1 ? "0" : "1";
    }
    for (int card = 0; card < cards; ++card) {
      const auto owner = static_cast<int>(number % static_cast<std::uint64_t>(containers + 1));
      number /= static_cast<std::uint64_t>(containers + 1);
      if (owner < containers) made.wants[vmid(owner)].cards->insert(pci(card));
    }
    return made;
  }

  /// Nothing anywhere: every placement is reached from here.
  HostState empty() const {
    HostState state;
    state.boot_id = "1";
    state.ledger = Ledger{};
    for (int at = 0; at < cards; ++at) {
      state.cards.push_back(
          two_v620::card(("gpu" + text(at)).c_str(), pci(at), "card" + text(at), "renderD" + text(at + 128)));
    }
    for (int at = 0; at < containers; ++at) {
      Container made = two_v620::container(vmid(at), {{"memory", "4096"}, {"onboot", "0"}});
      made.running = RunState::stopped;
      made.autostart = {};
      made.units_answer = UnitsAnswer::not_running;
      made.units = {two_v620::unit(unit(0), false), two_v620::unit(unit(1), false)};
      state.containers.push_back(made);
    }
    return state;
  }
};

/// The state in few words, for counting which were seen.
std::string short_form(const HostState& state) {
  std::string text;
  for (const Container& container : state.containers) {
    text += container.running == RunState::running ? 'R' : 's';
    text += container.autostart.onboot ? 'a' : '-';
    for (const PciAddress& card : container.cards()) text += card.text()[6];
    for (const Unit& unit : container.units) {
      text += is_live(unit) == Truth::yes ? 'L' : '-';
      text += would_start(unit) == Truth::yes ? 'E' : '-';
    }
    text += container.generated_cards == container.cards() ? '|' : '!';
  }
  for (const auto& [card, owner] : *state.ledger) text += owner.text() + ",";
  for (const Card& card : state.cards) text += std::to_string(card.holders.size());
  return text;
}

class Checker {
 public:
  explicit Checker(const World& world) : world_(world), rules_(world.policy()) {}

  /// Walks the plan; true: it was legal all the way, and it led there.
  bool walk(HostState state, const Target& target) {
    const auto plan = decide::plan(state, rules_, target, "c1");
    if (!plan) return complain("no plan: " + plan.error().message, target);
    if (plan->empty() != decide::differences(state, rules_, plan->target).empty()) {
      return complain("a plan is empty where something differs, or is not where nothing does", target);
    }
    for (const Step& step : plan->steps) {
      state = decide::after_step(state, rules_, step);
      ++edges_;
      seen_.insert(short_form(state));
      if (!safe(state)) return complain("after " + step.text, target);
    }
    const auto open = decide::differences(state, rules_, plan->target);
    return open.empty() || complain(open.front(), target);
  }

  bool safe(const HostState& state) {
    if (!decide::breaches(state, rules_).empty()) return false;
    return decide::breaches(decide::after_boot(state), rules_).empty() &&
           decide::boot_breaches(state, rules_).empty();
  }

  bool proven(const HostState& state, const Target& target) {
    const auto plan = decide::plan(state, rules_, target, "c1");
    if (!plan) return complain("no plan: " + plan.error().message, target);
    const Proof proof = decide::prove(state, rules_, *plan);
    ways_back_ += proof.ways_back;
    return proof.holds() || complain(proof.breaches.front(), target);
  }

  HostState placed(std::uint64_t number) const {
    HostState state = world_.empty();
    const auto plan = decide::plan(state, rules_, world_.target(number), "c0");
    REQUIRE(plan);
    return walked(state, rules_, *plan);
  }

  bool complain(const std::string& what, const Target& target) {
    if (++complaints_ <= 5) std::cerr << target.name << ": " << what << "\n";
    return false;
  }

  const Policy& rules() const { return rules_; }
  void report(const char* what) const {
    std::cout << what << ": " << seen_.size() << " states, " << edges_ << " steps, " << ways_back_
              << " ways back\n";
  }
  std::size_t states() const { return seen_.size(); }

 private:
  World world_;
  Policy rules_;
  std::unordered_set<std::string> seen_;
  std::uint64_t edges_ = 0;
  int ways_back_ = 0;
  int complaints_ = 0;
};

/// Numbers that repeat from run to run and look like none.
class Dice {
 public:
  std::uint64_t below(std::uint64_t limit) {
    state_ = state_ * 6364136223846793005ULL + 1442695040888963407ULL;
    return (state_ >> 33U) % limit;
  }

 private:
  std::uint64_t state_ = 42;
};

/// How much of the whole is looked at: each number counts pairs of placements.
struct Effort {
  int walked;
  int proven;
  int cut_short;
};

void check(const World& world, const Effort& effort, const char* name) {
  Checker checker(world);
  Dice dice;
  const auto any = [&] { return dice.below(world.count()); };

  for (int at = 0; at < effort.walked; ++at) {
    const std::uint64_t from = any();
    REQUIRE(checker.walk(checker.placed(from), world.target(any())));
  }
  for (int at = 0; at < effort.proven; ++at) {
    const std::uint64_t from = any();
    REQUIRE(checker.proven(checker.placed(from), world.target(any())));
  }
  for (int at = 0; at < effort.cut_short; ++at) {
    const HostState beginning = checker.placed(any());
    const Target target = world.target(any());
    const auto plan = decide::plan(beginning, checker.rules(), target, "c1");
    REQUIRE(plan);
    if (plan->empty()) continue;
    HostState state = walked(beginning, checker.rules(), *plan, dice.below(plan->steps.size()) + 1);
    if (dice.below(2) == 0) state = decide::after_boot(state);
    const Target back = decide::way_back(beginning, checker.rules(), plan->target);
    // Back, on, and to somewhere else altogether; with what the model knows of stopped containers, and
    // without.
    REQUIRE(checker.walk(state, back));
    REQUIRE(checker.walk(as_seen(state), back));
    REQUIRE(checker.walk(as_seen(state), plan->target));
    REQUIRE(checker.walk(as_seen(state), world.target(any())));
  }
  checker.report(name);
}

}  // namespace

TEST_CASE("model check: two containers, two cards") {
  check({2, 2}, {400, 10, 60}, "2 containers, 2 cards");
}
TEST_CASE("model check: three containers, three cards") {
  check({3, 3}, {150, 5, 40}, "3 containers, 3 cards");
}
TEST_CASE("model check: two containers, four cards") {
  check({2, 4}, {100, 5, 30}, "2 containers, 4 cards");
}

TEST_CASE("model check, at length", "[.][long]") {
  check({2, 2}, {20000, 2000, 4000}, "2 containers, 2 cards");
  check({3, 3}, {20000, 500, 4000}, "3 containers, 3 cards");
  check({3, 4}, {20000, 500, 4000}, "3 containers, 4 cards");
}

TEST_CASE(
    "model check: somebody starts a container in the middle of it, and all the same there is a proven way "
    "out") {
  const World world{2, 2};
  Checker checker(world);
  Dice dice;
  int started = 0;
  for (int at = 0; at < 40; ++at) {
    const HostState beginning = checker.placed(dice.below(world.count()));
    const auto plan = decide::plan(beginning, checker.rules(), world.target(dice.below(world.count())), "c1");
    REQUIRE(plan);
    if (plan->empty()) continue;
    HostState state = walked(beginning, checker.rules(), *plan, dice.below(plan->steps.size()) + 1);
    Container& container = state.containers[dice.below(2)];
    if (container.running == RunState::running) continue;
    ++started;
    container.running = RunState::running;
    container.units_answer = UnitsAnswer::answered;
    for (Unit& unit : container.units) {
      if (would_start(unit) == Truth::yes) unit.active = ActiveState::active;
    }
    const Target back = decide::way_back(beginning, checker.rules(), plan->target);
    const auto out = decide::plan(state, checker.rules(), back, "c1");
    INFO((out ? "" : out.error().message));
    REQUIRE(out);
    const Proof proof = decide::prove(state, checker.rules(), *out, back);
    INFO(all(proof.breaches));
    CHECK(proof.holds());
  }
  CHECK(started > 10);
}

TEST_CASE("model check: a card wanted by two that run is refused, from every placement") {
  const World world{2, 2};
  Checker checker(world);
  Dice dice;
  for (int at = 0; at < 100; ++at) {
    const HostState state = checker.placed(dice.below(world.count()));
    Target target{"both", {}};
    for (int which = 0; which < 2; ++which) {
      Want& want = target.wants[World::vmid(which)];
      want = running({World::pci(static_cast<int>(dice.below(2)))}, World::unit(0));
      want.cards->insert(World::pci(0));
    }
    REQUIRE_FALSE(decide::plan(state, checker.rules(), target, "c1"));
  }
}

// The planner model-checked (verification.md 3.5) with the very plan, proof and state that the command line
// uses: between legal placements of containers, cards and units, from where each plan ends and from where it
// is cut short, every step keeps the invariants, and so does every boot.
#include <cstdlib>
#include <iostream>
#include <random>
#include <unordered_set>

#include "base/text.h"
#include "decide/invariants.h"
#include "decide/power.h"
#include "decide/proof_model.h"
#include "placements.h"

using namespace interlock;
using namespace interlock::planning;

namespace {

class Checker {
 public:
  explicit Checker(const World& world) : world_(world), rules_(world.policy()) {
    for (std::uint64_t at = 0; at < world.count(); ++at) placed_.push_back(world.placed(at));
  }

  /// Walks the plan there; true: safe all the way, and it led there.
  bool walk(HostState state, const Target& target) {
    const auto plan = decide::plan(state, rules_, target, "c1");
    if (!plan) return complain("no plan: " + plan.error().message, target);
    if (plan->empty() != decide::differences(state, rules_, plan->target).empty()) {
      return complain("a plan is empty where something differs, or is not where nothing does", target);
    }
    for (const Step& step : plan->steps) {
      decide::apply(state, rules_, step);
      ++edges_;
      if (!safe(state)) return complain("after " + step.text, target);
    }
    const auto open = decide::differences(state, rules_, plan->target);
    return open.empty() || complain(open.front(), target);
  }

  bool proven(const HostState& state, const Target& target) {
    const auto plan = decide::plan(state, rules_, target, "c1");
    if (!plan) return complain("no plan: " + plan.error().message, target);
    const Proof proof = decide::prove(state, rules_, *plan);
    ways_back_ += static_cast<std::uint64_t>(proof.ways_back);
    return proof.holds() || complain(proof.breaches.front(), target);
  }

  const HostState& placed(std::uint64_t number) const { return placed_.at(number); }
  const Policy& rules() const { return rules_; }
  std::size_t states() const { return seen_.size(); }
  std::uint64_t edges() const { return edges_; }
  std::uint64_t ways_back() const { return ways_back_; }

 private:
  /// It and the boot that could follow: looked at once.
  bool safe(const HostState& state) {
    if (!seen_.insert(key(state)).second) return true;
    return decide::breaches(state, rules_).empty() && decide::boot_breaches(state, rules_).empty() &&
           decide::breaches(decide::after_boot(state), rules_).empty();
  }

  bool complain(const std::string& what, const Target& target) {
    if (++complaints_ <= 5) std::cerr << target.name << ": " << what << "\n";
    return false;
  }

  World world_;
  Policy rules_;
  std::vector<HostState> placed_;
  std::unordered_set<std::size_t> seen_;
  std::uint64_t edges_ = 0;
  std::uint64_t ways_back_ = 0;
  int complaints_ = 0;
};

/// Other numbers in each run, from a seed that is told.
class Dice {
 public:
  Dice() : seed_(std::random_device{}()), engine_(seed_) {
    if (const char* given = std::getenv("MODEL_CHECK_SEED")) {
      seed_ = parse_number<std::uint32_t>(given).value();
      engine_.seed(seed_);
    }
    std::cout << "MODEL_CHECK_SEED=" << seed_ << "\n";
  }
  std::uint64_t below(std::uint64_t limit) { return engine_() % limit; }

 private:
  std::uint32_t seed_;
  std::mt19937_64 engine_;
};

/// From every placement to every `stride`-th one, the first of them another for each beginning.
void walk_all(Checker& checker, const World& world, std::uint64_t stride) {
  for (std::uint64_t from = 0; from < world.count(); ++from) {
    for (std::uint64_t to = from % stride; to < world.count(); to += stride) {
      REQUIRE(checker.walk(checker.placed(from), world.target(to)));
    }
  }
}

bool is_safe_walk(HostState state, const Policy& rules, const std::vector<Step>& steps) {
  for (const Step& step : steps) {
    decide::apply(state, rules, step);
    if (!decide::breaches(state, rules).empty() || !decide::boot_breaches(state, rules).empty()) return false;
  }
  return true;
}

}  // namespace

TEST_CASE("model check: every step between any two placements keeps the invariants (verification.md 3.5)") {
  std::size_t states = 0;
  std::uint64_t edges = 0;
  const auto check = [&](const World& world, std::uint64_t stride) {
    Checker checker(world);
    walk_all(checker, world, stride);
    std::cout << "model check, " << world.containers << " containers, " << world.cards
              << " cards: " << world.count() << " placements, " << checker.states() << " states, "
              << checker.edges() << " steps\n";
    states += checker.states();
    edges += checker.edges();
  };
  check({2, 2}, 1);
  check({2, 3}, 1);
  check({3, 2}, 41);
  CHECK(states >= 100'000);
  CHECK(edges >= 1'000'000);
}

TEST_CASE(
    "model check: every plan between two placements has a proof, and no unsafe swap of its steps has one") {
  const World world{2, 2};
  Checker checker(world);
  int plans = 0;
  int swaps = 0;
  int unsafe = 0;
  for (std::uint64_t from = 0; from < world.count(); ++from) {
    for (std::uint64_t to = 0; to < world.count(); ++to) {
      if (!world.is_first_of_its_kind(from, to)) continue;
      ++plans;
      REQUIRE(checker.proven(checker.placed(from), world.target(to)));
      Plan plan = planned(checker.placed(from), checker.rules(), world.target(to));
      for (std::size_t at = 0; at + 1 < plan.steps.size(); ++at) {
        ++swaps;
        std::swap(plan.steps[at], plan.steps[at + 1]);
        if (!is_safe_walk(checker.placed(from), checker.rules(), plan.steps)) {
          ++unsafe;
          INFO("placement " << from << " to " << to << ", " << plan.steps[at + 1].text << " after "
                            << plan.steps[at].text);
          REQUIRE_FALSE(decide::prove(checker.placed(from), checker.rules(), plan).holds());
        }
        std::swap(plan.steps[at], plan.steps[at + 1]);
      }
    }
  }
  std::cout << "model check: " << plans << " proofs, " << checker.ways_back() << " ways back walked, "
            << swaps << " swaps, " << unsafe << " of them unsafe\n";
  CHECK(plans >= 4'000);
  CHECK(swaps >= 60'000);
  CHECK(unsafe >= 40);  // few: what stands beside an unsafe step is there to guard it
}

TEST_CASE(
    "model check: a step that is moved anywhere else, where that breaks an invariant, takes the proof away") {
  const World world{2, 2};
  Checker checker(world);
  Dice dice;
  int unsafe = 0;
  for (int plans = 0; plans < 60; ++plans) {
    const HostState& beginning = checker.placed(dice.below(world.count()));
    const Plan plan = planned(beginning, checker.rules(), world.target(dice.below(world.count())));
    for (std::size_t from = 0; from < plan.steps.size(); ++from) {
      for (std::size_t to = 0; to < plan.steps.size(); ++to) {
        Plan moved = plan;
        moved.steps.erase(moved.steps.begin() + static_cast<std::ptrdiff_t>(from));
        moved.steps.insert(moved.steps.begin() + static_cast<std::ptrdiff_t>(to), plan.steps[from]);
        if (is_safe_walk(beginning, checker.rules(), moved.steps)) continue;
        ++unsafe;
        INFO(plan.target.name << ": " << plan.steps[from].text << ", as step " << to + 1);
        REQUIRE_FALSE(decide::prove(beginning, checker.rules(), moved).holds());
      }
    }
  }
  std::cout << "model check: " << unsafe << " unsafe moves\n";
  CHECK(unsafe >= 100);
}

TEST_CASE("model check: a plan that is cut short leads back, on, and to somewhere else altogether (I4)") {
  Dice dice;
  for (const World& world : {World{2, 2}, World{2, 3}}) {
    Checker checker(world);
    const auto any = [&] { return dice.below(world.count()); };
    for (int at = 0; at < 1500; ++at) {
      const HostState& beginning = checker.placed(any());
      const auto plan = decide::plan(beginning, checker.rules(), world.target(any()), "c1");
      REQUIRE(plan);
      if (plan->empty()) continue;
      HostState state = walked(beginning, checker.rules(), *plan, dice.below(plan->steps.size()) + 1);
      if (dice.below(2) == 0) state = decide::after_boot(state);
      const Target back = decide::way_back(beginning, checker.rules(), plan->target);
      // With what the model knows of stopped containers, and without.
      REQUIRE(checker.walk(state, back));
      REQUIRE(checker.walk(as_seen(state), back));
      REQUIRE(checker.walk(as_seen(state), plan->target));
      REQUIRE(checker.walk(as_seen(state), world.target(any())));
    }
  }
}

TEST_CASE("model check, at length", "[.nightly]") {
  for (const World& world : {World{3, 2}, World{2, 4}}) {
    Checker checker(world);
    walk_all(checker, world, 1);
    std::cout << checker.states() << " states, " << checker.edges() << " steps\n";
  }
}

TEST_CASE(
    "model check: somebody starts a container in the middle, and all the same there is a proven way out") {
  const World world{2, 2};
  Checker checker(world);
  Dice dice;
  int started = 0;
  for (int at = 0; at < 400; ++at) {
    const HostState& beginning = checker.placed(dice.below(world.count()));
    const auto plan = decide::plan(beginning, checker.rules(), world.target(dice.below(world.count())), "c1");
    REQUIRE(plan);
    if (plan->empty()) continue;
    HostState state = walked(beginning, checker.rules(), *plan, dice.below(plan->steps.size()) + 1);
    Container& container = state.containers[dice.below(2)];
    if (container.running == RunState::running) continue;
    ++started;
    decide::come_up(container);
    const Target back = decide::way_back(beginning, checker.rules(), plan->target);
    const auto out = decide::plan(state, checker.rules(), back, "c1");
    INFO((out ? "" : out.error().message));
    REQUIRE(out);
    const Proof proof = decide::prove(state, checker.rules(), *out, back);
    INFO(all(proof.breaches));
    CHECK(proof.holds());
  }
  CHECK(started > 50);
}

TEST_CASE("model check: a card wanted by two that run is refused, from every placement") {
  const World world{2, 2};
  Checker checker(world);
  const Target both{"both",
                    {{World::vmid(0), running({World::pci(0)}, World::unit(0))},
                     {World::vmid(1), running({World::pci(0), World::pci(1)}, World::unit(0))}}};
  for (std::uint64_t from = 0; from < world.count(); ++from) {
    REQUIRE(refusal(checker.placed(from), checker.rules(), both) ==
            "gpu0 would be with more than one: 100 and 101");
  }
}

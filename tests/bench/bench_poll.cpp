#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <list>

#include "bench/benches.h"
#include "decide/trip.h"
#include "decide/two_v620.h"
#include "observe/card_fixture.h"
#include "observe/sensor_files.h"

namespace interlock::bench {
namespace {

using namespace tests;

constexpr int kPolls = 200;  // in one run: one alone is too short for a clock

std::array<std::string, 4> temperature_files(const std::string& root) {
  return {root + pci_folder(kGpu1) + "/hwmon/hwmon3/temp2_input",
          root + pci_folder(kGpu1) + "/hwmon/hwmon3/temp3_input",
          root + pci_folder(kGpu2) + "/hwmon/hwmon4/temp2_input",
          root + pci_folder(kGpu2) + "/hwmon/hwmon4/temp3_input"};
}

template <class Poll>
Measured one_of_many(int runs, Poll poll) {
  Measured time = measure(runs, [&] {
    for (int i = 0; i < kPolls; ++i) poll(i);
  });
  return {time.wall / kPolls, time.cpu / kPolls};
}

/// A card as the guard has it: files kept open, a judge, a trip machine.
struct GuardedCard {
  GuardedCard(const std::string& root, PolicyCard policy_card)
      : card(std::move(policy_card)), files(root, card.pci) {}

  void poll(const GuardPolicy& guard, Instant now) {
    constexpr decide::Use kHeld{.held = true, .sheddable = true, .used = true, .working = false};
    const decide::JudgeContext context{
        .card = card, .guard = guard, .use = kHeld, .deadline = decide::sample_deadline(guard.poll)};
    const auto judgement = decide::judge(context, belief, files.look(now), now);
    static_cast<void>(decide::step(guard, trip, {judgement, kHeld}, now));  // its memory is looked at below
  }

  PolicyCard card;
  observe::SensorFiles files;
  decide::CardMemory belief;
  decide::TripMemory trip;
};

void measure_ours(Table& table, const std::string& root, int runs) {
  const Policy policy = two_v620::policy();
  std::list<GuardedCard> cards;
  for (const PolicyCard& card : policy.cards) cards.emplace_back(root, card);
  int polls = 0;
  const Measured time = one_of_many(runs, [&](int) {
    const Instant now = instant_from_ns(1'000'000'000) + ++polls * policy.guard.poll;
    for (GuardedCard& card : cards) card.poll(policy.guard, now);
  });
  for (const GuardedCard& card : cards)
    insist(card.trip.state == GuardState::guarding, "two cool cards were to be seen");
  table.add({.what = "one poll of two cards, judged",
             .time = time,
             .budget = std::chrono::microseconds(50),
             .of_cpu = true});
}

void read_once(int fd) {
  std::array<char, 64> buffer{};
  insist(::pread(fd, buffer.data(), buffer.size(), 0) > 0, "a temperature was to be read");
}

void measure_bare(Table& table, const std::string& root, int runs) {
  const auto files = temperature_files(root);
  std::array<Fd, 4> kept;
  for (std::size_t i = 0; i < files.size(); ++i) kept[i] = Fd(::open(files[i].c_str(), O_RDONLY | O_CLOEXEC));
  table.add({.what = "the limit: four preads of files kept open, and nothing looked at",
             .time = one_of_many(runs,
                                 [&](int) {
                                   for (const Fd& fd : kept) read_once(fd.get());
                                 }),
             .kind = Row::Kind::limit});
  table.add({.what = "the same four temperatures by open, pread, close",
             .time = one_of_many(runs,
                                 [&](int) {
                                   for (const std::string& file : files)
                                     read_once(Fd(::open(file.c_str(), O_RDONLY | O_CLOEXEC)).get());
                                 }),
             .kind = Row::Kind::peer});
}

/// As home-made guards have it; `read_one` puts the content of "$f" into v.
Measured shell_loop(Host& host, const std::string& root, const std::string& read_one, int runs) {
  constexpr int kLoops = 50;
  std::string script = "i=0; while [ $i -lt " + std::to_string(kLoops) + " ]; do for f in";
  for (const std::string& file : temperature_files(root)) script += " " + file;
  script += "; do " + read_one + "; [ \"$v\" -lt 100000 ] || exit 1; done; i=$((i+1)); done";
  const Command command{
      .argv = {"/bin/bash", "-c", script}, .input = {}, .deadline = std::chrono::minutes(5)};
  const Measured time = measure(std::min(runs, 3), [&] {
    const auto end = host.run(command);
    insist(end && end->success(), "the shell was to read four temperatures");
  });
  return {time.wall / kLoops, {}};  // its processor time is its children's
}

}  // namespace

void bench_poll(Table& table, Host& host, int runs) {
  Tree tree;
  write_two_cards(tree);
  measure_ours(table, tree.root(), runs);
  measure_bare(table, tree.root(), runs);
  table.add({.what = "the same four temperatures by `$(cat FILE)` in bash",
             .time = shell_loop(host, tree.root(), "v=$(cat $f)", runs),
             .kind = Row::Kind::peer});
  table.add({.what = "the same four temperatures by `read < FILE` in bash",
             .time = shell_loop(host, tree.root(), "read -r v <$f", runs),
             .kind = Row::Kind::peer});
}

}  // namespace interlock::bench

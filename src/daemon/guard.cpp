#include "daemon/guard.h"

#include <fmt/format.h>

#include <algorithm>
#include <ranges>

#include "act/latch_file.h"
#include "daemon/metrics.h"
#include "daemon/status_json.h"
#include "observe/own_state.h"

namespace interlock::daemon {
namespace {

using namespace std::chrono_literals;

constexpr Duration kTick = 1s;
static_assert(kJudgeAtLeast + kTick + 2 * kTogether < observe::kGuardPatience,
              "its report would call a guard late that judges in time");
constexpr Duration kBetweenMetrics = 5s;
/// For holders.
constexpr HolderWatch::Pace kAtRest{.quick = 2s, .all = 15s};
constexpr HolderWatch::Pace kOutOfRest{.quick = 1s, .all = 5s};
constexpr HolderWatch::Pace kLatched{.quick = 500ms, .all = 5s};
constexpr HolderWatch::Pace kWarm{.quick = 250ms, .all = 5s};

}  // namespace

Guard::Guard(EventLoop& loop, Host& host, const ReaderProgram& readers, PolicySource& source,
             ServiceManager& manager, Start start)
    : loop_(loop),
      host_(host),
      source_(source),
      manager_(manager),
      files_(host, std::move(start.boot_id)),
      left_behind_(loop),
      holders_(loop, left_behind_, start.root, [this] { judge_all(); }),
      teller_(loop, left_behind_, host, start.root),
      around_{.loop = loop,
              .left_behind = left_behind_,
              .host = host,
              .root = std::move(start.root),
              .readers = readers,
              .holders = holders_,
              .teller = teller_,
              .policy = std::move(start.policy.policy),
              .control = nullptr,
              .judged = [this] { judged(); }},
      broken_(std::move(start.policy.broken)),
      tick_(loop.timer([this] { tick(); }, kTogether)),
      feed_(loop.timer([this] { feed(); })) {
  auto kept = files_.read_trips(loop.now());
  if (kept) {
    kept_ = *std::move(kept);
  } else {
    damaged_ = kept.error().message;
  }
  teller_.notify_commands(around_.policy.guard.notify);
  for (const PolicyCard& card : around_.policy.cards) cards_.push_back(new_card(card));
}

std::unique_ptr<CardWatch> Guard::new_card(const PolicyCard& card) {
  auto latch = act::read_latch(host_, card.pci);
  if (!latch && !damaged_.empty()) {
    latch =
        Latch{TripReason::blind, "what the guard remembered of this card is damaged: " + damaged_, {}, true};
  }
  const auto kept = kept_.cards.find(card.pci);
  return std::make_unique<CardWatch>(around_, card, latch,
                                     kept == kept_.cards.end() ? nullptr : &kept->second);
}

Result<void> Guard::begin() {
  control_ = TRY(ControlServer::open(loop_, around_.root, host_.rooted(), *this));
  around_.control = control_.get();
  if (!broken_.empty()) {
    teller_.tell({.kind = EventKind::policy_broken,
                  .message = "guarding by the last good copy of the policy, since it is broken: " + broken_});
  }
  if (!host_.rooted()) watch_devices();
  holders_.begin(around_.policy);
  for (const auto& card : cards_) card->begin();
  tick_.at(loop_.now() + kTick);
  if (manager_.feed_every()) feed_.at(loop_.now());
  return {};
}

void Guard::watch_devices() {
  auto watch = DeviceWatch::begin(loop_, [this](const std::optional<PciAddress>& pci) {
    for (const auto& card : cards_) {
      if (!pci || card->guard().card.pci == *pci) card->look_again();
    }
  });
  if (watch) {
    devices_ = *std::move(watch);
  } else {
    complain(watch.error().message);  // the cards are looked at by the clock all the same
  }
}

void Guard::end() {
  for (const auto& card : cards_) card->stop();
  // What a shed worker froze must not stay so; what it was to stop, the next start sheds by its latch.
  if (const auto thawed = act::thaw_leftovers(host_); !thawed) complain(thawed.error().message);
  report(false);
  manager_.stopping("stopping: no card is guarded");
  teller_.tell({.kind = EventKind::stopping, .message = "no card is guarded any more"});
}

void Guard::judge_all() {
  for (const auto& card : cards_) card->judge();
}

void Guard::judged() {
  const auto any = [this](auto&& is_so) {
    return std::ranges::any_of(cards_, [&](const auto& card) { return is_so(*card); });
  };
  if (any([](const CardWatch& card) { return card.polled_fast(); })) {
    holders_.pace(kWarm);
  } else if (any([](const CardWatch& card) { return card.guard().trip.latched; })) {
    holders_.pace(kLatched);
  } else {
    const bool rest =
        !any([](const CardWatch& card) { return card.guard().state() != GuardState::guarding; });
    holders_.pace(rest ? kAtRest : kOutOfRest);
  }
  if (!ready_ && !any([](const CardWatch& card) { return !card.guard().judged_at(); })) {
    ready_ = manager_.ready(sentence());
    report(true);
    if (ready_) teller_.tell({.kind = EventKind::started, .message = sentence()});
    return;
  }
  if (reported_ != sentence()) report(on_time(loop_.now()));
}

void Guard::tick() {
  const Instant now = loop_.now();
  tick_.at(now + kTick);
  for (const auto& card : cards_) card->tick(now);
  report(on_time(now));
  if (ready_) manager_.status(sentence());
  if (now < metrics_at_) return;
  metrics_at_ = now + kBetweenMetrics;
  write_metrics(now);
}

void Guard::write_metrics(Instant now) {
  GuardMetrics metrics{.cards = {},
                       .lateness = Duration::zero(),
                       .left_behind = left_behind_.count(),
                       .holder_looks_late = holders_.late()};
  for (const auto& card : cards_) {
    const CardGuard& guard = card->guard();
    const auto& sampled_at = guard.belief.sampled_at;
    metrics.cards.push_back({.id = guard.card.id,
                             .pci = guard.card.pci,
                             .state = guard.state(),
                             .verdicts = guard.verdicts(),
                             .sample_age = sampled_at ? std::optional(now - *sampled_at) : std::nullopt,
                             .trips = card->trips(),
                             .sheds = card->sheds(),
                             .readers_replaced = card->reader().replaced(),
                             .readers_hung = card->reader().hung()});
    metrics.lateness = std::max(metrics.lateness, card->take_lateness());
  }
  if (const auto written = files_.write_metrics(metrics_text(metrics)); !written)
    complain(written.error().message);
}

void Guard::feed() {
  const Instant now = loop_.now();
  feed_.at(now + *manager_.feed_every());
  if (on_time(now) || !ready_) manager_.feed_watchdog();
}

bool Guard::on_time(Instant now) const {
  return std::ranges::all_of(cards_, [&](const auto& card) { return card->guard().judged_on_time(now); });
}

void Guard::report(bool fresh) {
  GuardReport report;
  report.fresh = fresh;
  KeptTrips trips{.saved_at = loop_.now(), .cards = {}};
  for (const auto& card : cards_) {
    const CardGuard& guard = card->guard();
    const auto judged_at = guard.judged_at();
    if (judged_at && (!report.judged_at || *judged_at < *report.judged_at)) report.judged_at = judged_at;
    report.states[guard.card.id] = guard.state();
    report.reasons[guard.card.id] = guard.reason();
    report.verdicts[guard.card.id] = guard.verdicts();
    trips.cards.emplace(guard.card.pci, card->kept());
  }
  const auto reported = files_.write_report(report);
  const auto kept = files_.write_trips(trips);
  if (!reported || !kept) complain((reported ? kept : reported).error().message);
  reported_ = sentence();
}

std::string Guard::sentence() const {
  std::vector<std::string> states;
  for (const auto& card : cards_) {
    states.push_back(fmt::format("{} {}", card->guard().card.id.text(), to_string(card->guard().state())));
  }
  return fmt::format("{}{}", fmt::join(states, ", "), broken_.empty() ? "" : "; the policy is broken");
}

void Guard::complain(const std::string& sentence) {
  if (sentence == complained_of_) return;
  complained_of_ = sentence;
  teller_.tell({.kind = EventKind::trouble, .message = sentence});
}

std::string Guard::status() {
  return daemon_status(cards_, holders_, left_behind_, broken_, on_time(loop_.now()), loop_.now());
}

CardWatch* Guard::find(const std::string& card) {
  const auto pci = PciAddress::parse(card);
  const auto found = std::ranges::find_if(cards_, [&](const auto& one) {
    const PolicyCard& known = one->guard().card;
    return known.id.text() == card || (pci && known.pci == *pci);
  });
  return found == cards_.end() ? nullptr : found->get();
}

void Guard::reset(const std::string& card, bool force, const std::string& reason, Reply reply) {
  CardWatch* watch = find(card);
  if (watch == nullptr) return reply(fail("no card of the policy is called {}", card));
  watch->reset(force, reason, reply);
}

void Guard::reload_policy(const Reply& reply) {
  manager_.reloading(loop_.now());
  const auto policy = source_.load();
  const auto adopted = policy ? adopt(*policy) : Result<void>(std::unexpected(policy.error()));
  if (adopted) {
    broken_.clear();
    if (const auto kept = source_.keep(*policy); !kept) complain(kept.error().message);
    teller_.tell({.kind = EventKind::reloaded, .message = "the new policy is in force"});
  } else {
    teller_.tell({.kind = EventKind::reload_refused,
                  .message = "the policy before stays in force: " + adopted.error().message});
  }
  // Not loaded is not "not ready": the cards are guarded as before.
  static_cast<void>(manager_.ready(sentence()));
  reply(adopted);
}

Result<void> Guard::adopt(const Policy& policy) {
  const auto is_in = [&](const std::unique_ptr<CardWatch>& card) {
    return policy.card(card->guard().card.pci) != nullptr;
  };
  for (const auto& card : cards_) {
    if (is_in(card) || !card->shedding()) continue;
    return fail("{} is not in the new policy, and is being shed now", card->guard().card.id.text());
  }
  around_.policy = policy;
  teller_.notify_commands(policy.guard.notify);
  std::erase_if(cards_, [&](const auto& card) { return !is_in(card); });
  for (const PolicyCard& card : policy.cards) {
    const auto known =
        std::ranges::find_if(cards_, [&](const auto& one) { return one->guard().card.pci == card.pci; });
    if (known != cards_.end()) {
      (*known)->take_policy(card);
    } else {
      cards_.push_back(new_card(card));
      cards_.back()->begin();
    }
  }
  holders_.begin(around_.policy);
  judge_all();
  return {};
}

}  // namespace interlock::daemon

#include "daemon/shed_worker.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/text.h"
#include "host/linux_host.h"
#include "host/paths.h"
#include "host/scheduling.h"
#include "model/json_bytes.h"
#include "model/state_text.h"

namespace interlock::daemon {
namespace {

using nlohmann::json;
using namespace std::chrono_literals;

constexpr std::array kRungs = {act::Rung::freeze,         act::Rung::stop_unit,      act::Rung::kill,
                               act::Rung::stop_container, act::Rung::kill_container, act::Rung::last_resort};
constexpr std::string_view kEnd = "end";

/// Each rung keeps its own time; a worker that is far beyond all of them hangs in the kernel.
Duration deadline_of(const ShedTimes& times) {
  return 2 * (times.freeze + times.stop + times.kill + times.container) + 60s;
}

/// As the guard sees it now, in its report. A card whose heat cannot be told is not cool. Asked after the
/// stop, and before the last resort.
bool is_still_hot(Host& host, const ShedOrder& order) {
  const auto boot_id = host.read_file(paths::kBootId);
  const auto text = host.read_file(paths::kGuardReport);
  if (!text) return true;
  const auto report = parse_guard(*text, boot_id ? trimmed(*boot_id) : std::string_view{});
  if (!report) return true;
  const auto verdicts = report->verdicts.find(order.card.id);
  return verdicts == report->verdicts.end() ||
         decide::stays_hot(order.policy.guard, order.at_begin, verdicts->second);
}

int work(const std::string& root, const ShedOrder& order) {
  const auto host = make_linux_host(root);
  if (!host) return 1;
  const act::ShedProgress progress = [](const act::ShedEvent& event) {
    // When the daemon is gone this worker dies with it; till then the ladder goes on whoever listens.
    static_cast<void>(answer_line(shed_event_line(event)));
  };
  const auto report = order.unseen
                          ? act::shed_unseen(**host, order.policy, order.card, *order.unseen, progress)
                          : act::shed(
                                **host, order.policy, order.card, progress,
                                [&] { return is_still_hot(**host, order); }, order.from);
  return answer_line(compact({{kEnd, report.empty}})) ? 0 : 1;
}

}  // namespace

void Refills::add(Instant now) {
  ++total_;
  recent_.push_back(now);
  if (recent_.size() > kTooMany) recent_.pop_front();
}

bool Refills::too_many(Instant now) const {
  return recent_.size() >= kTooMany && now - recent_.front() <= kWithin;
}

std::string shed_event_line(const act::ShedEvent& event) {
  return compact({{"rung", act::to_string(event.rung)},
                  {"subject", bytes_to_json(event.subject)},
                  {"text", bytes_to_json(event.text)},
                  {"empty", event.empty}});
}

Result<act::ShedEvent> parse_shed_event(std::string_view line) {
  const json value = TRY(parse_json(line));
  try {
    const auto word = value.at("rung").get<std::string>();
    const auto rung = std::ranges::find(kRungs, word, [](act::Rung one) { return act::to_string(one); });
    if (rung == kRungs.end()) return fail("no rung: \"{}\"", word);
    act::ShedEvent event;
    event.rung = *rung;
    event.subject = TRY(bytes_from_json(value.at("subject")));
    event.text = TRY(bytes_from_json(value.at("text")));
    event.empty = value.at("empty").get<bool>();
    return event;
  } catch (const json::exception& error) {
    return fail("a shed worker's line is not whole: {}", error.what());
  }
}

ShedWorker::ShedWorker(EventLoop& loop, LeftBehind& left_behind, std::string root, const CardId& card,
                       OnEvent on_event, OnEnd on_end)
    : loop_(loop),
      left_behind_(left_behind),
      root_(std::move(root)),
      what_("shed worker of " + card.text()),
      on_event_(std::move(on_event)),
      on_end_(std::move(on_end)) {}

Result<void> ShedWorker::begin(const ShedOrder& order) {
  empty_ = false;
  unseen_ = order.unseen.has_value();
  heard_at_ = loop_.now();
  task_ = TRY(ChildTask::start(
      loop_, left_behind_, {.what = what_, .deadline = loop_.now() + deadline_of(order.policy.guard.shed)},
      [&] {
        run_early();
        return work(root_, order);
      },
      [this](std::string_view line) { take_line(line); },
      [this](const std::string& trouble) {
        task_.reset();
        ended_at_ = loop_.now();
        on_end_(empty_, trouble);
      }));
  return {};
}

void ShedWorker::take_line(std::string_view line) {
  heard_at_ = loop_.now();
  if (const auto event = parse_shed_event(line)) return on_event_(*event);
  const auto end = parse_json(line);
  if (end && end->is_object() && end->contains(kEnd)) empty_ = end->at(std::string(kEnd)) == true;
}

}  // namespace interlock::daemon

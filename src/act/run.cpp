#include "act/run.h"

#include "act/step.h"
#include "host/paths.h"

namespace interlock::act {

Outcome carry_out(Run& run, const Step& step) {
  switch (step.kind) {
    case StepKind::take_card:
    case StepKind::give_card:
      return set_owner(run, step);
    case StepKind::retire_unit:
      return retire_unit(run, step);
    case StepKind::clear_autostart:
      return clear_autostart(run, step);
    case StepKind::stop_container:
      return stop_container(run, step);
    case StepKind::see_card_free:
      return see_card_free(run, step);
    case StepKind::release_cards:
      return release_cards(run, step);
    case StepKind::bind_cards:
      return bind_cards(run, step);
    case StepKind::set_limits:
      return set_limits(run, step);
    case StepKind::start_container:
      return start_container(run, step);
    case StepKind::start_unit:
      return start_unit(run, step);
    case StepKind::see_serving:
      return see_serving(run, step);
    case StepKind::enable_unit:
      return enable_unit(run, step);
    case StepKind::restore_autostart:
      return restore_autostart(run, step);
    case StepKind::sweep:
      return sweep(run, step);
  }
  return failed("this version does not know such a step");
}

Outcome seen_within(Host& host, Duration limit, Duration pause, const std::function<Seen()>& look) {
  const Instant end = host.now() + limit;
  for (;;) {
    Seen seen = look();
    if (seen.how != Seen::How::not_yet) return {seen.how == Seen::How::so, std::move(seen.text)};
    const Instant now = host.now();
    if (now >= end) return failed(std::move(seen.text));
    host.wait(std::min<Duration>(pause, end - now));
  }
}

Result<void> barrier(Host& host) {
  auto synced = host.sync_file(paths::kPveDatabaseLog);
  if (!synced && is_missing(synced.error())) return {};
  return in_context(std::move(synced),
                    fmt::format("making /etc/pve durable, by syncing {}", paths::kPveDatabaseLog));
}

}  // namespace interlock::act

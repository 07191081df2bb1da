#include "observe/units.h"

#include <algorithm>
#include <set>

#include "host/paths.h"
#include "pve/pct_output.h"

namespace interlock::observe {
namespace {

Result<std::vector<Unit>> show(Host& host, Vmid vmid, const std::vector<UnitName>& units, Duration deadline) {
  Command command{.argv = {paths::kPct, "exec", vmid.text(), "--", "systemctl", "show",
                           fmt::format("--property={}", pve::kUnitProperties), "--"},
                  .input = {},
                  .deadline = deadline};
  for (const UnitName& unit : units) command.argv.push_back(unit.text());
  const auto context = [&](Error error) {
    return std::unexpected(
        in_context(std::move(error), fmt::format("cannot ask container {} about its units", vmid.text())));
  };
  const auto end = host.run(command);
  if (!end) return context(end.error());
  // A whole answer counts whatever the exit status says, and no exit status makes a whole one of a part
  // (pct.md, 1.9).
  auto answered = pve::parse_units(end->output, units);
  if (end->how != CommandEnd::How::exited) return context(Error{end->text(), 0});
  if (!answered && !end->success()) return context(Error{end->text(), 0});
  if (!answered) return context(std::move(answered).error());
  return answered;
}

std::vector<UnitName> starters_of(const std::vector<Unit>& units) {
  std::set<UnitName> names;
  for (const Unit& unit : units) {
    for (const std::string& name : unit.started_by) {
      if (const auto parsed = UnitName::parse(name)) names.insert(*parsed);
    }
  }
  return {names.begin(), names.end()};
}

bool starts_nothing(const Unit& starter) {
  return is_live(starter) == Truth::no && would_start(starter) == Truth::no;
}

}  // namespace

Result<std::vector<Unit>> ask_units(Host& host, Vmid vmid, const std::vector<UnitName>& units,
                                    Duration deadline) {
  std::vector<Unit> answered = TRY(show(host, vmid, units, deadline));
  const std::vector<UnitName> starters = starters_of(answered);
  if (starters.empty()) return answered;
  const std::vector<Unit> second = TRY(show(host, vmid, starters, deadline));
  for (Unit& unit : answered) {
    std::erase_if(unit.started_by, [&](const std::string& name) {
      const auto starter =
          std::ranges::find(second, name, [](const Unit& asked) { return asked.name.text(); });
      return starter != second.end() && starts_nothing(*starter);
    });
  }
  return answered;
}

}  // namespace interlock::observe

// release_cards and bind_cards: a stopped container's configuration loses its cards, and gets others.
#include <algorithm>

#include "act/edit_config.h"
#include "act/exclusive.h"
#include "act/keepsake_file.h"
#include "act/step.h"
#include "act/stopped.h"
#include "base/text.h"
#include "decide/plan.h"
#include "observe/host_state.h"
#include "pve/config.h"

namespace interlock::act {
namespace {

using Lines = std::vector<std::string>;

bool is_raw(std::string_view line) {
  return line.starts_with("lxc.");
}

bool contains(const Lines& lines, const std::string& line) {
  return std::ranges::find(lines, line) != lines.end();
}

/// A configuration is read for an edit, and read back, only while nothing else may write it.
Result<Container> look_at_stopped(Run& run, Vmid vmid) {
  const Outcome stopped = stays_stopped(run.host, vmid);
  if (!stopped.done) return fail("container {}: {}", vmid.text(), stopped.seen);
  return observe::look_at_container(run.host, run.policy, vmid, false);
}

/// The lines to take out, each once, in the file's order.
Result<Lines> lines_of(const Container& container, const std::vector<Binding>& bindings) {
  Lines lines;
  for (const Binding& binding : bindings) {
    if (binding.form == Binding::Form::included) {
      return fail("\"{}\" gives it the card through another file, which is not ours to change",
                  printable(binding.line));
    }
    if (binding.when == Binding::When::next_start) {
      return fail("\"{}\" is pending in container {}: `pct set {} --revert {}`", printable(binding.line),
                  container.vmid.text(), container.vmid.text(), key_of_line(binding.line));
    }
    if (!contains(lines, binding.line)) lines.push_back(binding.line);
  }
  return lines;
}

/// A line of the plan that is not seen to give a card now: somebody has taken it away, or this look was
/// wrong. An edit by such a look could take out one line of a pair.
std::optional<std::string> not_seen(const Step& step, const Lines& found) {
  for (const std::string& line : step.lines) {
    if (!contains(found, line)) {
      return fmt::format("\"{}\" is to be taken out, and is not seen to give it a card now", printable(line));
    }
  }
  return std::nullopt;
}

/// Remembered before anything is taken away, so that it can be given back whatever happens then.
Result<void> keep(Run& run, Vmid vmid, const std::vector<Binding>& bindings) {
  Keepsake keepsake = TRY(read_keepsake(run.host, vmid));
  std::map<PciAddress, Lines> kept;
  for (const Binding& binding : bindings) {
    for (const PciAddress& card : binding.cards) {
      if (!contains(kept[card], binding.line)) kept[card].push_back(binding.line);
    }
  }
  for (auto& [card, lines] : kept) keepsake.lines[card] = std::move(lines);
  return write_keepsake(run.host, vmid, keepsake);
}

/// Raw lines by an edit of the file, then all keys in one `pct set`, which generates the other configuration
/// anew too.
Result<std::string> take_out(Run& run, const Container& seen, const Lines& lines) {
  ConfigEdit edit;
  Settings keys;
  for (const std::string& line : lines) {
    if (is_raw(line)) {
      edit.out.push_back(line);
    } else {
      keys[key_of_line(line)] = std::nullopt;
    }
  }
  if (!edit.out.empty()) TRY(edit_config(run.host, seen, edit));
  const Container edited = TRY(look_at_stopped(run, seen.vmid));
  if (keys.empty()) keys = TRY(harmless_setting(edited));
  return hint_of(run.pct.set(seen.vmid, keys, edited.digest, run.policy.timing.command));
}

/// Both configurations; that no process of it is left, the look itself has made sure of.
std::optional<std::string> still_has(Run& run, const Step& step) {
  const auto container = look_at_stopped(run, *step.container);
  if (!container) return container.error().message;
  for (const PciAddress& card : step.cards) {
    const std::string name = run.policy.card_name(card);
    if (container->binds(card)) return fmt::format("its configuration still binds {}", name);
    if (container->generated_cards.contains(card))
      return fmt::format("what it starts with still has {}", name);
  }
  if (container->generated_stale) return "what it starts with was not generated from its configuration";
  return std::nullopt;
}

Lines main_lines(const Container& container) {
  Lines lines;
  const pve::ConfigFile config = pve::parse_config(container.config);
  for (const pve::ConfigLine& line : config.main().lines) {
    lines.emplace_back(line.text.ends_with('\r') ? line.text.substr(0, line.text.size() - 1) : line.text);
  }
  return lines;
}

std::optional<std::string> lacks(const Container& container, const Policy& policy, const Step& step) {
  const Lines present = main_lines(container);
  for (const std::string& line : step.lines) {
    if (!contains(present, line)) return fmt::format("its configuration has no line \"{}\"", printable(line));
  }
  for (const PciAddress& card : step.cards) {
    if (!container.binds(card))
      return fmt::format("its configuration does not bind {}", policy.card_name(card));
  }
  // Where only the file was edited, the `pct set` of the next step generates the other one.
  const bool generated = std::ranges::none_of(step.lines, is_raw);
  if (generated && container.generated_stale)
    return "what it starts with was not generated from its configuration";
  return std::nullopt;
}

/// Raw lines first, since the `pct set` behind the edit generates the other configuration.
Result<std::string> put_in(Run& run, const Container& seen, const Lines& lines) {
  const Lines present = main_lines(seen);
  ConfigEdit edit;
  Settings keys;
  for (const std::string& line : lines) {
    if (contains(present, line)) continue;
    if (is_raw(line)) {
      edit.in.push_back(line);
    } else {
      keys[key_of_line(line)] = value_of_line(line);
    }
  }
  if (!edit.in.empty()) TRY(edit_config(run.host, seen, edit));
  if (keys.empty()) return std::string();
  const Container edited = TRY(look_at_stopped(run, seen.vmid));
  return hint_of(run.pct.set(seen.vmid, keys, edited.digest, run.policy.timing.command));
}

Result<void> forget(Run& run, const Step& step) {
  Keepsake keepsake = TRY(read_keepsake(run.host, *step.container));
  std::size_t forgotten = 0;
  for (const PciAddress& card : step.cards) forgotten += keepsake.lines.erase(card);
  if (forgotten == 0) return {};
  return write_keepsake(run.host, *step.container, keepsake);
}

std::string with_hint(std::string why, const Result<std::string>& said) {
  if (!said) return fmt::format("{}; {}", why, said.error().message);
  return said->empty() ? why : fmt::format("{}; the call said: {}", why, *said);
}

}  // namespace

Outcome release_cards(Run& run, const Step& step) {
  const auto seen = look_at_stopped(run, *step.container);
  if (!seen) return failed(seen.error().message);
  const auto bindings = decide::bindings_giving(*seen, step.cards);
  const auto lines = lines_of(*seen, bindings);
  if (!lines) return failed(lines.error().message);
  if (auto why = not_seen(step, *lines)) return failed(*std::move(why));
  if (const auto kept = keep(run, *step.container, bindings); !kept) return failed(kept.error().message);
  const auto said = take_out(run, *seen, *lines);
  if (auto why = still_has(run, step)) return failed(with_hint(*std::move(why), said));
  return done("neither its configuration nor what it starts with has the card, and no process of it is left");
}

Outcome bind_cards(Run& run, const Step& step) {
  const auto seen = look_at_stopped(run, *step.container);
  if (!seen) return failed(seen.error().message);
  if (auto why = held_elsewhere(run, *step.container, step.cards)) return failed(*std::move(why));
  const auto said = put_in(run, *seen, step.lines);
  const auto now = look_at_stopped(run, *step.container);
  if (!now) return failed(now.error().message);
  if (auto why = lacks(*now, run.policy, step)) return failed(with_hint(*std::move(why), said));
  if (const auto forgotten = forget(run, step); !forgotten) return failed(forgotten.error().message);
  return done("its configuration binds " + std::to_string(step.cards.size()) +
              (step.cards.size() == 1 ? " card" : " cards"));
}

}  // namespace interlock::act
